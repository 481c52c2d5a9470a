extension Cache {
  /// Returns this cache with its values decoded and encoded by two functions that receive the key
  /// and the value.
  ///
  /// Use this verb instead of ``mapValues(_:)-(Codec<Value,NewValue>)`` if the stored form depends
  /// on the key. For example, each entry may be encrypted with a separate encryption key.
  ///
  ///     let texts: Cache<String, String> = disk.mapValues(
  ///       decode: { key, data in String(decoding: data.dropFirst(key.utf8.count), as: UTF8.self) },
  ///       encode: { key, text in Data((key + text).utf8) })
  ///
  /// - Parameters:
  ///   - decode: A closure that decodes a stored value. It runs once for each hit, on the thread
  ///     that delivers the value. When it throws, the get fails with that error, and a sum reads
  ///     the next level.
  ///   - encode: A closure that encodes a value. It runs once for each `set`, on the caller's
  ///     thread. When it throws, the `set` fails with that error and doesn't reach the level.
  /// - Complexity: O(1) to create the cache. Each hit calls `decode` once, and each `set` calls
  ///   `encode` once.
  /// - Law: Functions that ignore the key behave like a codec. See `keyedValues.codec`,
  ///   `keyedValues.identity`, and the other laws of `Laws.keyedValues`, checked by
  ///   `KeyedValueLaws`.
  @inlinable
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) throws -> NewValue,
    encode: @escaping @Sendable (Key, NewValue) throws -> Value
  ) -> Cache<Key, NewValue> {
    mapValues(
      isPrompt: true,
      decoding: { key, value in Promise<NewValue>(catching: { try decode(key, value) }) },
      encoding: { key, value in Promise<Value>(catching: { try encode(key, value) }) })
  }

  /// Returns this cache with its values decoded and encoded by two async functions that receive the
  /// key and the value.
  ///
  /// The operations of each key run in the order in which they were called. When a write is
  /// cancelled before its value is encoded, it doesn't reach the level.
  ///
  /// - Parameters:
  ///   - decode: A closure that decodes a stored value. It runs once for each hit, in a separate
  ///     task. When it throws, the get fails with that error.
  ///   - encode: A closure that encodes a value. It runs once for each `set`, in a separate task.
  ///     When it throws, the `set` fails with that error.
  /// - Law: Functions that ignore the key behave like a codec. See `KeyedValueLaws`.
  @_disfavoredOverload
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) async throws -> NewValue,
    encode: @escaping @Sendable (Key, NewValue) async throws -> Value
  ) -> Cache<Key, NewValue> {
    mapValues(
      decoding: { key, value in Promise<NewValue> { try await decode(key, value) } },
      encoding: { key, value in Promise<Value> { try await encode(key, value) } })
  }

  /// Returns this cache with its values decoded and encoded by functions that return promises.
  @inlinable
  package func mapValues<NewValue>(
    isPrompt: Bool = false,
    decoding decode: @escaping @Sendable (Key, Value) -> Promise<NewValue>,
    encoding encode: @escaping @Sendable (Key, NewValue) -> Promise<Value>
  ) -> Cache<Key, NewValue> {
    let (decode, hasOrigin) = (offMainThread(decode), hasOrigin)
    let transforming = Cache.transforming(decode)
    let late = { @Sendable (key: Key, answer: Promise<Value>) in
      transforming(key, answer).asResponse(of: key, if: hasOrigin)
    }
    return mapValues("values", isPrompt: isPrompt, encode: encode) { get, queue in
      { key in
        let answer = queue.read(key, get)
        guard case .success(let value) = answer.state else { return late(key, answer) }
        return decode(key, value).asResponse(of: key, if: hasOrigin)
      }
    }
  }
}
