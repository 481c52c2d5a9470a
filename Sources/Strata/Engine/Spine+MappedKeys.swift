extension Spine {
  /// This spine of a cache that is seen through keys.
  func mappingKeys<NewKey>(
    _ plan: CachePlan, forget one: @escaping @Sendable (NewKey) -> Void,
    reporting map: @escaping @Sendable (Cache<Key, Value>) -> Cache<NewKey, Value>
  ) -> Spine<NewKey, Value> {
    let forget = forget
    return Spine<NewKey, Value>(
      plan: .mappedKeys(plan), isReadOnly: isReadOnly,
      forget: { key in if let key { one(key) } else { forget(nil) } },
      reporting: self.reporting(through: map))
  }
}
