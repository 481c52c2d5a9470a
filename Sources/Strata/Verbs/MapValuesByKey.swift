/// Two functions, there and back, that see the key.
@usableFromInline
struct KeyedCodec<Key: Hashable & Sendable, Stored: Sendable, Value: Sendable>: Sendable {
  @usableFromInline let decode: @Sendable (Key, Stored) -> Promise<Value>
  @usableFromInline let encode: @Sendable (Key, Value) -> Promise<Stored>

  @inlinable
  init(
    decode: @escaping @Sendable (Key, Stored) -> Promise<Value>,
    encode: @escaping @Sendable (Key, Value) -> Promise<Stored>
  ) {
    (self.decode, self.encode) = (decode, encode)
  }
}

extension Cache {
  /// Returns this cache with its values read and written by two functions that see the key.
  ///
  /// As ``mapValues(_:)``, for what depends on the key: a secret of its own for each entry, say.
  ///
  ///     let texts: Cache<String, String> = disk.mapValues(
  ///       decode: { key, data in String(decoding: data.dropFirst(key.utf8.count), as: UTF8.self) },
  ///       encode: { key, text in Data((key + text).utf8) })
  ///
  /// - Parameters:
  ///   - decode: Called once for each hit, on the thread that has the value. If it throws, the get
  ///     fails with its error, and in a sum the level beneath answers.
  ///   - encode: Called once for each set, on the caller's thread. If it throws, the set fails with
  ///     its error and the level is not asked.
  /// - Complexity: O(1) to build; one call for each hit and each `set`.
  /// - Law: functions that ignore the key are the codec: `keyedValues.codec`,
  ///   `keyedValues.identity` and others of `Laws.keyedValues`; see `KeyedValueLaws`.
  @inlinable
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) throws -> NewValue,
    encode: @escaping @Sendable (Key, NewValue) throws -> Value
  ) -> Cache<Key, NewValue> {
    mapValues(
      decode: { key, value in Promise<NewValue>(catching: { try decode(key, value) }) },
      encode: { key, value in Promise<Value>(catching: { try encode(key, value) }) })
  }

  /// Returns this cache with its values read and written by two functions that see the key and may
  /// take their time.
  ///
  /// The operations of one key keep their order; a write that is cancelled before it is encoded
  /// does not reach the level.
  ///
  /// - Parameters:
  ///   - decode: As for a function that answers at once.
  ///   - encode: As for a function that answers at once.
  /// - Law: as for functions that answer at once; see `KeyedValueLaws`.
  @_disfavoredOverload
  @inlinable
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) -> Promise<NewValue>,
    encode: @escaping @Sendable (Key, NewValue) -> Promise<Value>
  ) -> Cache<Key, NewValue> {
    mapValues(KeyedCodec(decode: decode, encode: encode)) { get, order in
      { key in
        let answer = order.isQuiet ? get(key) : order.read(key) { get(key) }
        guard case .success(let value) = answer.state else {
          return answer.flatMap { decode(key, $0) }
        }
        return decode(key, value)
      }
    }
  }

  /// Returns this cache with its values read and written by two async functions that see the key.
  ///
  /// - Parameters:
  ///   - decode: As for a promise; each call has a task of its own.
  ///   - encode: As for a promise; each call has a task of its own.
  /// - Law: as for promises.
  @_disfavoredOverload
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) async throws -> NewValue,
    encode: @escaping @Sendable (Key, NewValue) async throws -> Value
  ) -> Cache<Key, NewValue> {
    mapValues(
      decode: { key, value in Promise<NewValue> { try await decode(key, value) } },
      encode: { key, value in Promise<Value> { try await encode(key, value) } })
  }

  @usableFromInline
  func mapValues<NewValue>(
    _ codec: KeyedCodec<Key, Value, NewValue>, asking: @escaping Decoding<NewValue>
  ) -> Cache<Key, NewValue> {
    if spine.isReadOnly { return Fetcher(self).mapValues(decode: codec.decode).cache }
    return mapValues(codec, order: KeyOrder(), asking: asking)
  }

  private func mapValues<NewValue>(
    _ codec: KeyedCodec<Key, Value, NewValue>, order: KeyOrder<Key>,
    asking: @escaping Decoding<NewValue>
  ) -> Cache<Key, NewValue> {
    let (set, remove, clear) = (set, remove, clear)
    return Cache<Key, NewValue>(
      get: asking(get, order),
      set: { key, value in
        order.write(key, preparing: codec.encode(key, value)) { set(key, $0) }
      },
      remove: { key in order.write(key, preparing: Promise()) { remove(key) } },
      clear: { order.write(nil, preparing: Promise()) { clear() } },
      memoryWarning: memoryWarning,
      spine: Spine<Key, NewValue>(
        plan: .mappedValues(plan, label: "values"), forget: spine.forget,
        reporting: spine.reporting { $0.mapValues(codec, order: order, asking: asking) }))
  }
}

extension Fetcher {
  /// Returns this fetcher with its values changed by a function that sees the key.
  ///
  ///     let sizes = network.mapValues(decode: { key, data in "\(key): \(data.count)" })
  ///
  /// - Parameter decode: Called once for each hit, on the thread that has the value. If it throws,
  ///   the get fails with its error.
  /// - Law: a function that ignores the key is ``mapValues(_:)-((Value)->NewValue)``; see
  ///   `MapValuesByKeyTests.testAFetcherIsReadWithItsKey`.
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) throws -> NewValue
  ) -> Fetcher<Key, NewValue> {
    mapValues(decode: { key, value in Promise<NewValue>(catching: { try decode(key, value) }) })
  }

  /// Returns this fetcher with its values changed by a function that sees the key and may take its
  /// time.
  ///
  /// - Law: as for a function that answers at once.
  @_disfavoredOverload
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) -> Promise<NewValue>
  ) -> Fetcher<Key, NewValue> {
    let get = get
    return Fetcher<Key, NewValue>(
      get: { key in get(key).flatMap { decode(key, $0) } }, forget: cache.spine.forget,
      plan: .mappedValues(plan, label: "values"),
      reporting: cache.spine.reporting { Fetcher($0).mapValues(decode: decode).cache })
  }

  /// Returns this fetcher with its values changed by an async function that sees the key.
  ///
  /// - Law: as for a promise.
  @_disfavoredOverload
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) async throws -> NewValue
  ) -> Fetcher<Key, NewValue> {
    mapValues(decode: { key, value in Promise<NewValue> { try await decode(key, value) } })
  }
}
