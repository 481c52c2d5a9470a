extension Fetcher /* : Functor in Value */ {
  /// Returns this fetcher with its values read through a codec; nothing is ever written.
  ///
  ///     let pages = network <*> .utf8  // Fetcher<String, String>
  ///
  /// - Complexity: O(1) to build; one decoding for each hit.
  /// - Law: `(f <*> s) <*> t == f <*> (s >>> t)`; see `MapValuesLaws`.
  public func mapValues<NewValue>(_ codec: Codec<Value, NewValue>) -> Fetcher<Key, NewValue> {
    mapValues(codec.decoding, label: codec.label)
  }

  /// Returns this fetcher with its values changed by a transformer.
  ///
  /// - Parameter transformer: Called once for each hit, on the thread that has the value. If it
  ///   fails, the get fails with its error.
  /// - Law: `f.mapValues(t) == f.postProcessed(t)` where it changes no type; see
  ///   `PostProcessedTests.testAFetcherIsPostProcessedToo`.
  public func mapValues<NewValue>(
    _ transformer: Transformer<Value, NewValue>
  ) -> Fetcher<Key, NewValue> {
    mapValues(transformer, label: "values")
  }

  /// Returns this fetcher with its values changed by a function.
  ///
  /// - Parameter transform: Called once for each hit, on the thread that has the value. If it
  ///   throws, the get fails with its error.
  /// - Law: a function reads as the codec that decodes with it; see `MapValuesLaws`.
  public func mapValues<NewValue>(
    _ transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Fetcher<Key, NewValue> {
    mapValues(Transformer(transform), label: "values")
  }

  private func mapValues<NewValue>(
    _ transformer: Transformer<Value, NewValue>, label: String
  ) -> Fetcher<Key, NewValue> {
    let get = get
    return Fetcher<Key, NewValue>(
      get: { get($0).flatMap(transformer.transform) }, forget: cache.spine.forget,
      plan: .mappedValues(plan, label: label),
      reporting: cache.spine.reporting { Fetcher($0).mapValues(transformer, label: label).cache })
  }

  /// "Decoded by": `fetcher.mapValues(codec)`.
  ///
  /// - Law: `(f <*> s) <*> t == f <*> (s >>> t)`; see `MapValuesLaws`.
  public static func <*> <NewValue>(
    fetcher: Fetcher, codec: Codec<Value, NewValue>
  ) -> Fetcher<Key, NewValue> {
    fetcher.mapValues(codec)
  }

  /// "Changed by": `fetcher.mapValues(transform)`.
  ///
  /// - Law: a function reads as the codec that decodes with it; see `MapValuesLaws`.
  @_disfavoredOverload
  public static func <*> <NewValue>(
    fetcher: Fetcher, transform: @escaping @Sendable (Value) throws -> NewValue
  ) -> Fetcher<Key, NewValue> {
    fetcher.mapValues(transform)
  }
}
