/// A value that a refreshed cache has loaded. The properties state whether and for how long the
/// cache stores it.
@usableFromInline
struct Loaded<Value: Sendable>: Wrapping {
  let value: Value
  /// The lifetime that the load has chosen, or `nil` for the lifetime that the refreshed cache
  /// gives its values.
  var lifetime: Duration?
  var isStored = true

  init(_ value: Value, lasting lifetime: Duration? = nil, isStored: Bool = true) {
    (self.value, self.lifetime, self.isStored) = (value, lifetime, isStored)
  }

  var wrapped: Value { value }
}

extension Cache {
  /// This origin with its values wrapped as `Loaded`, without lifetimes of their own.
  @usableFromInline
  var loaded: Cache<Key, Loaded<Value>> {
    transforming(plan, conduct: metadata.conduct) { cache, _ in
      let below = cache.operations
      return CacheOperations<Key, Loaded<Value>>(
        get: { key in below.get(key).map { Loaded($0) } },
        set: { key, loaded in
          loaded.isStored ? below.set(key, loaded.value) : Promise()
        },
        remove: below.remove, clear: below.clear, memoryWarning: below.memoryWarning,
        dropLoad: below.dropLoad, expire: below.expire)
    }
  }
}
