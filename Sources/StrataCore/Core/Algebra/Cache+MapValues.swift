extension Cache /* : Invariant in Value */ {
  /// Returns a cache that decodes and encodes this cache's values with a codec.
  ///
  /// This cache stores encoded values, so each hit decodes its value. When a value can't be
  /// encoded, its `set` fails and stores nothing. But if this cache is a level of a sum, the sum
  /// removes the key's old value from it.
  ///
  ///     let pages = disk <*> .utf8  // Cache<String, String>
  ///
  /// - Parameter codec: The codec. Its functions run on the thread that provides the value. But by
  ///   default, a codec above a disk level doesn't process values of more than 512 bytes on the
  ///   main thread. The operations of each key keep their order, even if the functions are
  ///   asynchronous.
  /// - Complexity: O(1) to build. Each hit decodes its value once, and each `set` encodes its value
  ///   once.
  /// - Law: `a <*> .identity == a` and `(a <*> s) <*> t == a <*> (s >>> t)`. For codecs that
  ///   round-trip and never fail, `(a + b) <*> t == a <*> t + b <*> t`. If your codec can fail,
  ///   apply it to each level, as in `a <*> t + b <*> t`. Then the sum skips a level whose value
  ///   can't be decoded, and replaces this value with one from a lower level. See
  ///   `values.identity`, `values.composition`, `values.distribution`, `sum.healing`, and
  ///   `MapValuesLaws`.
  @inlinable
  public func mapValues<NewValue>(_ codec: Codec<Value, NewValue>) -> Cache<Key, NewValue> {
    let (decode, hasOrigin) = (offMainThread(codec.decode), hasOrigin)
    return mapValues(
      codec.label, decodes: codec.decodes, isPrompt: codec.isPrompt,
      encode: { _, value in codec.encode(value) },
      bulk: { bulk, queue in hasOrigin ? nil : bulk.mapValues(queue, decode) }
    ) { get, queue in
      let late = { @Sendable (key: Key, answer: Promise<Value>) in
        answer.flatMap(decode).asResponse(of: key, if: hasOrigin)
      }
      return { key in
        let answer = queue.read(key, get)
        guard case .success(let value) = answer.state else { return late(key, answer) }
        return decode(value).asResponse(of: key, if: hasOrigin)
      }
    }
  }

  /// A closure that creates the `get` function of a cache with decoded values. In inlinable
  /// functions, the compiler can specialize it for concrete types.
  @usableFromInline
  package typealias DecodingGet<NewValue: Sendable> =
    @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Value>, _ queue: KeyedQueue
    ) -> @Sendable (Key) -> Promise<NewValue>

  /// Returns this cache with decoded values. If this cache is read-only, writes don't encode their
  /// values.
  ///
  /// - Parameters:
  ///   - decodes: Whether the values change. Otherwise, the verb only changes the plan.
  ///   - isPrompt: Whether `encode` returns a settled promise.
  @usableFromInline
  func mapValues<NewValue>(
    _ label: String, decodes: Bool = true, isPrompt: Bool = true,
    encode: @escaping @Sendable (Key, NewValue) -> Promise<Value>,
    bulk:
      @escaping @Sendable (BulkGet<Key, Value>, KeyedQueue) -> BulkGet<Key, NewValue>? = {
        _, _ in nil
      },
    get: @escaping DecodingGet<NewValue>
  ) -> Cache<Key, NewValue> {
    let newPlan = CachePlan.mappedValues(plan, label: label, decodes: decodes)
    if !decodes, let same = unchanged(by: newPlan) as? Cache<Key, NewValue> { return same }
    let (queue, encode) = (KeyedQueue(), offMainThread(encode))
    let (isReadOnly, isSum) = (metadata.isReadOnly, metadata.conduct.isSum)
    var conduct = metadata.conduct
    conduct.isPrompt = conduct.isPrompt && isPrompt && !plan.node.isOffMainThread
    conduct.addsNoTime = conduct.addsNoTime && isPrompt
    return transforming(
      newPlan, conduct: conduct, bulk: { bulk($0, queue) }, works: { $0.add(queue.work) }
    ) { cache, _ in
      let below = cache.operations
      let forget = below.dropLoad
      return CacheOperations<Key, NewValue>(
        get: get(below.get, queue),
        set: { key, value in
          guard !isReadOnly else {
            forget(key)
            return Promise()
          }
          let (hash, encoded) = (KeyVersions.hash(key), encode(key, value))
          guard isSum else {
            return queue.write(hash, preparing: encoded) { below.set(key, $0) }
          }
          let outcome = encoded.flatMapOutcome { Promise<Promise<Value>.Outcome>(.success($0)) }
          return queue.write(hash, preparing: outcome) { outcome in
            switch outcome {
            case .success(let value): below.set(key, value)
            case .failure(let error):
              below.remove(key).flatMapOutcome { _ in Promise(error: error) }
            case .cancelled: below.remove(key).flatMapOutcome { _ in .cancelled }
            }
          }
        },
        remove: { key in
          queue.write(KeyVersions.hash(key), preparing: Promise()) { below.remove(key) }
        },
        clear: { queue.write(nil, preparing: Promise()) { below.clear() } },
        memoryWarning: below.memoryWarning, dropLoad: forget,
        expire: { key in
          queue.write(key.map(KeyVersions.hash), preparing: Promise()) { below.expire(key) }
        })
    }
  }

  /// Returns `cache.mapValues(codec)`. The operator is pronounced "decoded by".
  ///
  /// - Law: `a <*> .identity == a` and `(a <*> s) <*> t == a <*> (s >>> t)`. See `MapValuesLaws`.
  @inlinable
  public static func <*> <NewValue>(
    cache: Cache, codec: Codec<Value, NewValue>
  ) -> Cache<Key, NewValue> {
    cache.mapValues(codec)
  }
}

extension Cache {
  /// Whether this cache contains an origin, such as a network. If so, a value in any of its levels
  /// might be from that origin.
  @usableFromInline package var hasOrigin: Bool { plan.node.hasOrigin }
}

extension Promise {
  /// Returns this promise. When there is an origin, an `undecodable` error becomes
  /// `undecodableResponse`, which also contains the key.
  @inlinable
  func asResponse<Key: Sendable>(of key: Key, if hasOrigin: Bool) -> Promise {
    if case .success = state { return self }
    return hasOrigin ? asResponse(of: key) : self
  }

  @usableFromInline
  func asResponse<Key: Sendable>(of key: Key) -> Promise {
    flatMapOutcome { outcome in
      guard case .undecodable(let codec, let reason)? = outcome.error as? CacheError else {
        return Promise(outcome: outcome)
      }
      return Promise(
        error: CacheError.undecodableResponse(by: codec, reason: reason, key: shortened(key)))
    }
  }
}
