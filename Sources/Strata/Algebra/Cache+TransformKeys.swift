extension Cache /* : Contravariant in Key, with keys that take their time */ {
  /// Returns this cache seen through a transformer of keys, which may take its time.
  ///
  /// The operations of one new key keep the order in which they were called; a get or write that is
  /// cancelled in the transformer does not reach the level.
  ///
  /// - Parameter transformer: Called once for each `get`, `set` and `remove`, on the caller's
  ///   thread. Its failure is that of the call; a write of a read-only cache succeeds all the same.
  /// - Law: a transformer that answers at once is the function; see `MapKeysLaws`.
  public func mapKeys<NewKey>(
    _ transformer: Transformer<NewKey, Key>
  ) -> Cache<NewKey, Value> {
    mapKeys(transformer, order: KeyOrder())
  }

  private func mapKeys<NewKey>(
    _ transformer: Transformer<NewKey, Key>, order: KeyOrder<NewKey>
  ) -> Cache<NewKey, Value> {
    let (get, set, remove, clear) = (get, set, remove, clear)
    return Cache<NewKey, Value>(
      get: { key in order.read(key) { transformer(key).flatMap(get) } },
      set: { key, value in
        written(order.write(key, preparing: transformer(key)) { set($0, value) })
      },
      remove: { key in written(order.write(key, preparing: transformer(key), remove)) },
      clear: { order.write(nil, preparing: Promise()) { clear() } },
      memoryWarning: memoryWarning,
      spine: spine.mappingKeys(
        plan, forget: { [spine] key in transformer(key).onSuccess { spine.forget($0) } },
        reporting: { $0.mapKeys(transformer, order: order) }))
  }

  private func written(_ write: Promise<Void>) -> Promise<Void> {
    spine.isReadOnly ? write.recover { _ in } : write
  }
}
