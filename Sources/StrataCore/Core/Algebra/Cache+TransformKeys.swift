extension Cache /* : Contravariant in Key, with asynchronous functions */ {
  /// Returns a cache that uses a transformer to convert its keys to the keys of this cache.
  ///
  /// Writes to one key of the returned cache take effect in the order of their calls. Gets see all
  /// earlier writes to their key. An operation that is cancelled while the transformer runs doesn't
  /// reach this cache.
  ///
  /// - Parameter transformer: The transformer, which runs once for each `get`, `set`, and `remove`,
  ///   on the caller's thread. When the transformer fails, the operation fails with the same error,
  ///   except that a write to a read-only cache succeeds. If this cache contains a Redis level, a
  ///   sum above can call the transformer again. This happens if a verb or a codec rejects the
  ///   value that the Redis level returned.
  /// - Law: `a.mapKeys(Transformer(f)) == a.mapKeys(f)` for any synchronous function `f`. See
  ///   `MapKeysLaws`.
  public func mapKeys<NewKey>(
    _ transformer: Transformer<NewKey, Key>
  ) -> Cache<NewKey, Value> {
    let queue = KeyedQueue()
    let isReadOnly = metadata.isReadOnly
    @Sendable func written(_ write: Promise<Void>) -> Promise<Void> {
      isReadOnly ? write.recover { _ in } : write
    }
    return transforming(
      .mappedKeys(plan), conduct: metadata.conduct.delayed(), keys: { transformer($0) },
      source: { $0.mapKeys { transformer($0) } }, works: { $0.add(queue.work) }
    ) { cache, _ in
      let below = cache.operations
      return CacheOperations<NewKey, Value>(
        get: { key in
          queue.read(KeyVersions.hash(key)) { transformer(key).flatMap(below.get) }
        },
        set: { key, value in
          written(
            queue.write(KeyVersions.hash(key), preparing: transformer(key)) {
              below.set($0, value)
            })
        },
        remove: { key in
          written(
            queue.write(KeyVersions.hash(key), preparing: transformer(key), below.remove))
        },
        clear: { queue.write(nil, preparing: Promise()) { below.clear() } },
        memoryWarning: below.memoryWarning,
        dropLoad: { key in
          guard let key else { return below.dropLoad(nil) }
          transformer(key).onSuccess { below.dropLoad($0) }
        },
        expire: { key in
          guard let key else {
            return queue.write(nil, preparing: Promise()) { below.expire(nil) }
          }
          return written(
            queue.write(KeyVersions.hash(key), preparing: transformer(key)) { below.expire($0) })
        })
    }
  }
}
