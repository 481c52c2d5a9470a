extension Fetcher /* : Functor in Value */ {
  /// Returns this fetcher with its values decoded by a codec.
  ///
  ///     let pages = network <*> .utf8  // Fetcher<String, String>
  ///
  /// - Complexity: O(1) to build. Each hit decodes its value once.
  /// - Law: `(f <*> s) <*> t == f <*> (s >>> t)`. See `MapValuesLaws`.
  public func mapValues<NewValue>(_ codec: Codec<Value, NewValue>) -> Fetcher<Key, NewValue> {
    mapValues(codec.label, decodes: codec.decodes) { _, value in codec.decode(value) }
  }

  /// Returns this fetcher with its values transformed by a transformer.
  ///
  /// - Parameter transformer: A transformer called once per hit, on the thread that provides the
  ///   value. If the transformer fails, the get fails with that error.
  /// - Law: `f.mapValues(t) == f.postProcessed(t)` if `t` doesn't change the type of the values.
  ///   See `PostProcessedTests.testAFetcherIsPostProcessedToo`.
  public func mapValues<NewValue>(
    _ transformer: Transformer<Value, NewValue>
  ) -> Fetcher<Key, NewValue> {
    mapValues(transformer, label: "values")
  }

  /// Returns this fetcher with its values transformed by a function.
  ///
  /// - Parameter transform: A closure called once per hit, on the thread that provides the value.
  ///   If the closure throws, the get fails with that error.
  /// - Law: Mapping the values with a function has the same effect as mapping them with a codec
  ///   that decodes with this function. See `MapValuesLaws`.
  public func mapValues<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Fetcher<Key, NewValue> {
    mapValues(Transformer(transform), label: "values")
  }

  private func mapValues<NewValue>(
    _ transformer: Transformer<Value, NewValue>, label: String
  ) -> Fetcher<Key, NewValue> {
    mapValues(label) { _, value in transformer(value) }
  }

  func mapValues<NewValue>(
    _ label: String, decodes: Bool = true,
    _ decode: @escaping @Sendable (Key, Value) -> Promise<NewValue>
  ) -> Fetcher<Key, NewValue> {
    let decode = decodes ? cache.offMainThread(decode) : decode
    let hasOrigin = cache.hasOrigin
    return Fetcher<Key, NewValue>(
      cache.mapValues(label, decodes: decodes, encode: { _, _ in .miss }) { get, _ in
        { key in get(key).flatMap { decode(key, $0) }.asResponse(of: key, if: hasOrigin) }
      })
  }

  /// Returns `fetcher.mapValues(codec)`. The operator is pronounced "decoded by".
  ///
  /// - Law: `(f <*> s) <*> t == f <*> (s >>> t)`. See `MapValuesLaws`.
  public static func <*> <NewValue>(
    fetcher: Fetcher, codec: Codec<Value, NewValue>
  ) -> Fetcher<Key, NewValue> {
    fetcher.mapValues(codec)
  }

  /// Returns `fetcher.mapValues(transform)`. The operator is pronounced "changed by".
  ///
  /// - Law: Mapping the values with a function has the same effect as mapping them with a codec
  ///   that decodes with this function. See `MapValuesLaws`.
  @_disfavoredOverload
  public static func <*> <NewValue>(
    fetcher: Fetcher, transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Fetcher<Key, NewValue> {
    fetcher.mapValues(transform)
  }
}
