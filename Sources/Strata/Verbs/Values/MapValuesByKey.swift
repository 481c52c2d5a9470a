extension Cache {
  /// Returns this cache with its values read and written by two functions that see the key.
  ///
  /// Use it instead of ``mapValues(_:)`` if the stored form depends on the key, such as a separate
  /// secret for each entry.
  ///
  ///     let texts: Cache<String, String> = disk.mapValues(
  ///       decode: { key, data in String(decoding: data.dropFirst(key.utf8.count), as: UTF8.self) },
  ///       encode: { key, text in Data((key + text).utf8) })
  ///
  /// - Parameters:
  ///   - decode: Called once for each hit, on the thread that has the value. If it throws, the get
  ///     fails with its error, and a sum reads the next level.
  ///   - encode: Called once for each set, on the caller's thread. If it throws, the set fails with
  ///     its error and doesn't reach the level.
  /// - Complexity: O(1) to build. Each hit and each `set` calls one function.
  /// - Law: functions that ignore the key are a codec: `keyedValues.codec`, `keyedValues.identity`,
  ///   and more of `Laws.keyedValues`. See `KeyedValueLaws`.
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) throws -> NewValue,
    encode: @escaping @Sendable (Key, NewValue) throws -> Value
  ) -> Cache<Key, NewValue> {
    mapValues(
      decoding: { key, value in Promise<NewValue>(catching: { try decode(key, value) }) },
      encoding: { key, value in Promise<Value>(catching: { try encode(key, value) }) })
  }

  /// Returns this cache with its values read and written by two async functions that see the key.
  ///
  /// The operations of one key keep the order of their calls. A write cancelled before its value is
  /// encoded doesn't reach the level.
  ///
  /// - Parameters:
  ///   - decode: Called once for each hit, in a separate task. If it throws, the get fails with its
  ///     error.
  ///   - encode: Called once for each set, in a separate task. If it throws, the set fails with its
  ///     error.
  /// - Law: the same laws as for synchronous functions. See `KeyedValueLaws`.
  @_disfavoredOverload
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) async throws -> NewValue,
    encode: @escaping @Sendable (Key, NewValue) async throws -> Value
  ) -> Cache<Key, NewValue> {
    mapValues(
      decoding: { key, value in Promise<NewValue> { try await decode(key, value) } },
      encoding: { key, value in Promise<Value> { try await encode(key, value) } })
  }

  /// Returns this cache with its values read and written by promises.
  package func mapValues<NewValue>(
    decoding decode: @escaping @Sendable (Key, Value) -> Promise<NewValue>,
    encoding encode: @escaping @Sendable (Key, NewValue) -> Promise<Value>
  ) -> Cache<Key, NewValue> {
    let (decode, hasOrigin) = (offMainThread(decode), hasOrigin)
    return mapValues("values", encode: encode) { get, order in
      { key in
        let answer = order.isQuiet ? get(key) : order.read(OperationOrder.hash(key)) { get(key) }
        if case .success(let value) = answer.state {
          return decode(key, value).asResponse(of: key, if: hasOrigin)
        }
        return answer.flatMap { decode(key, $0) }.asResponse(of: key, if: hasOrigin)
      }
    }
  }
}

extension Fetcher {
  /// Returns this fetcher with its values transformed by a function that sees the key.
  ///
  ///     let sizes = network.mapValues(decode: { key, data in "\(key): \(data.count)" })
  ///
  /// - Parameter decode: Called once for each hit, on the thread that has the value. If it throws,
  ///   the get fails with its error.
  /// - Law: a function that ignores the key is ``mapValues(_:)-((Value)->NewValue)``. See
  ///   `MapValuesByKeyTests.testAFetcherIsDecodedWithItsKey`.
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) throws -> NewValue
  ) -> Fetcher<Key, NewValue> {
    mapValues("values") { key, value in Promise(catching: { try decode(key, value) }) }
  }

  /// Returns this fetcher with its values transformed by an async function that sees the key.
  ///
  /// - Parameter decode: Called once for each hit, in a separate task, which is cancelled with the
  ///   get.
  /// - Law: the same laws as for a synchronous function. See `MapValuesByKeyTests`.
  @_disfavoredOverload
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) async throws -> NewValue
  ) -> Fetcher<Key, NewValue> {
    mapValues("values") { key, value in Promise { try await decode(key, value) } }
  }
}
