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
  ///   the back-fill. `values.identity`, `values.composition`, `values.distribution` and
  ///   `sum.healing`; see `MapValuesLaws`.
  @inlinable
  public func mapValues<NewValue>(_ codec: Codec<Value, NewValue>) -> Cache<Key, NewValue> {
    let decode = codec.decode
    return mapValues(codec) { get, order in
      { key in
        guard order.isQuiet else { return order.read(key) { get(key).flatMap(decode) } }
        let answer = get(key)
        if case .success(let value) = answer.state { return decode(value) }
        return answer.flatMap(decode)
      }
    }
  }

  /// How it is asked: made where the types are known, so that a hit is compiled for them.
  @usableFromInline
  typealias Decoding<NewValue> =
    @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Value>, _ order: KeyOrder<Key>
    ) -> @Sendable (Key) -> Promise<NewValue>

  @usableFromInline
  func mapValues<NewValue>(
    _ codec: Codec<Value, NewValue>, asking: @escaping Decoding<NewValue>
  ) -> Cache<Key, NewValue> {
    if spine.isReadOnly { return Fetcher(self).mapValues(codec).cache }
    return mapValues(codec, order: KeyOrder(), asking: asking)
  }

  private func mapValues<NewValue>(
    _ codec: Codec<Value, NewValue>, order: KeyOrder<Key>, asking: @escaping Decoding<NewValue>
  ) -> Cache<Key, NewValue> {
    let (set, remove, clear) = (set, remove, clear)
    return Cache<Key, NewValue>(
      get: asking(get, order),
      set: { key, value in order.write(key, preparing: codec.encode(value)) { set(key, $0) } },
      remove: { key in order.write(key, preparing: Promise()) { remove(key) } },
      clear: { order.write(nil, preparing: Promise()) { clear() } },
      memoryWarning: memoryWarning,
      spine: Spine<Key, NewValue>(
        plan: .mappedValues(plan, label: codec.label), forget: spine.forget,
        reporting: spine.reporting { $0.mapValues(codec, order: order, asking: asking) }))
  }

  /// "Decoded by": `cache.mapValues(codec)`.
  ///
  /// - Law: `a <*> .identity == a` and `(a <*> s) <*> t == a <*> (s >>> t)`; see `MapValuesLaws`.
  @inlinable
  public static func <*> <NewValue>(
    cache: Cache, codec: Codec<Value, NewValue>
  ) -> Cache<Key, NewValue> {
    cache.mapValues(codec)
  }
}
