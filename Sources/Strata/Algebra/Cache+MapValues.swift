extension Cache /* : Invariant in Value */ {
  /// Returns this cache with its values read and written through a codec.
  ///
  /// What is stored stays in this cache's own type; each hit is decoded anew. A value that does not
  /// encode is not stored, and the level not asked.
  ///
  ///     let pages = disk <*> .utf8  // Cache<String, String>
  ///
  /// - Parameter codec: Its functions are called on the thread that has the value. Those that take
  ///   their time do not change the order of the operations of one key.
  /// - Complexity: O(1) to build; one decoding for each hit, one encoding for each `set`.
  /// - Law: `a <*> .identity == a` and `(a <*> s) <*> t == a <*> (s >>> t)`; for codecs that
  ///   round-trip and never fail `(a + b) <*> t == a <*> t + b <*> t`. Where a codec can fail, the
  ///   right-hand side is the one to write: the level that fails to decode is passed, and healed by
  ///   the back-fill. See `MapValuesLaws`.
  public func mapValues<NewValue>(_ codec: Codec<Value, NewValue>) -> Cache<Key, NewValue> {
    if spine.isReadOnly { return Fetcher(self).mapValues(codec).cache }
    return mapValues(codec, order: KeyOrder())
  }

  private func mapValues<NewValue>(
    _ codec: Codec<Value, NewValue>, order: KeyOrder<Key>
  ) -> Cache<Key, NewValue> {
    let (get, set, remove, clear) = (get, set, remove, clear)
    return Cache<Key, NewValue>(
      get: { key in order.read(key) { get(key).flatMap(codec.decode) } },
      set: { key, value in order.write(key, preparing: codec.encode(value)) { set(key, $0) } },
      remove: { key in order.write(key, preparing: Promise()) { remove(key) } },
      clear: { order.write(nil, preparing: Promise()) { clear() } },
      memoryWarning: memoryWarning,
      spine: Spine<Key, NewValue>(
        plan: .mappedValues(plan, label: codec.label), forget: spine.forget,
        reporting: spine.reporting { $0.mapValues(codec, order: order) }))
  }

  /// "Decoded by": `cache.mapValues(codec)`.
  ///
  /// - Law: `a <*> .identity == a` and `(a <*> s) <*> t == a <*> (s >>> t)`; see `MapValuesLaws`.
  public static func <*> <NewValue>(
    cache: Cache, codec: Codec<Value, NewValue>
  ) -> Cache<Key, NewValue> {
    cache.mapValues(codec)
  }
}

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
