extension Cache /* : Functor in Value, for reading */ {
  /// Returns a read-only view of this cache whose values are transformed.
  ///
  /// A transformer works in one direction, so the view can't store values: its writes succeed
  /// without effect. To read and write transformed values, use a codec.
  ///
  /// - Parameter transformer: Transforms the value of each get. When it fails, the get fails with
  ///   the same error.
  /// - Law: `f.mapValues(s).mapValues(t) == f.mapValues(s.then(t))`. See `MapValuesLaws`.
  public func mapValues<NewValue>(
    _ transformer: Transformer<Value, NewValue>
  ) -> Cache<Key, NewValue> {
    readValues { _, value in transformer(value) }
  }

  /// Returns a read-only view of this cache whose values are transformed by a function.
  ///
  ///     let sizes = pages.mapValues { page in page.count }
  ///
  /// - Parameter transform: A function that transforms a value. It runs on the thread that delivers
  ///   the value. When it throws, the get fails with that error.
  /// - Law: `f.mapValues(g) == f.mapValues(Transformer(g))`. See `MapValuesLaws`.
  public func mapValues<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Cache<Key, NewValue> {
    mapValues(Transformer(transform))
  }

  /// Returns a read-only view of this cache whose values are transformed by a function that
  /// receives the key and the value.
  ///
  ///     let sizes = network.mapValues(decode: { key, data in "\(key): \(data.count)" })
  ///
  /// - Parameter decode: A closure that transforms a value. It runs once for each hit, on the
  ///   thread that delivers the value. When it throws, the get fails with that error.
  /// - Law: A function that ignores the key behaves like ``mapValues(_:)-((Value)->NewValue)``. See
  ///   `MapValuesByKeyTests.testAFetcherIsDecodedWithItsKey`.
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) throws -> NewValue
  ) -> Cache<Key, NewValue> {
    readValues { key, value in Promise(catching: { try decode(key, value) }) }
  }

  /// Returns a read-only view of this cache whose values are transformed by an async function that
  /// receives the key and the value.
  ///
  /// - Parameter decode: A closure that transforms a value. It runs once for each hit, in a
  ///   separate task, which is cancelled with the get. When it throws, the get fails with that
  ///   error.
  /// - Law: A function that ignores the key behaves like a function of the value alone. See
  ///   `MapValuesByKeyTests`.
  @_disfavoredOverload
  public func mapValues<NewValue>(
    decode: @escaping @Sendable (Key, Value) async throws -> NewValue
  ) -> Cache<Key, NewValue> {
    readValues { key, value in Promise { try await decode(key, value) } }
  }

  private func readValues<NewValue>(
    _ decode: @escaping @Sendable (Key, Value) -> Promise<NewValue>
  ) -> Cache<Key, NewValue> {
    fetcher.mapValues(decoding: decode, encoding: { _, _ in .miss })
  }
}
