/// The operations of a cache, which a verb can change. See ``Cache/transforming(_:_:_:)``.
///
/// The initializer has almost no default arguments, so a verb can't omit an operation by accident.
/// When a verb changes only how values are read, copy the operations and replace `get`:
///
///     let checked = disk.transforming("checked") { operations in
///       var result = operations
///       result.get = { key in operations.get(key).filter { !$0.isEmpty } }
///       return result
///     }
public struct CacheOperations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Returns the value of a key. To report a miss, it fails with an error whose `isMiss` is true.
  public var get: @Sendable (Key) -> Promise<Value>
  /// Stores a value.
  public var set: @Sendable (Key, Value) -> Promise<Void>
  /// Removes a value. The promise succeeds even if the key is absent.
  public var remove: @Sendable (Key) -> Promise<Void>
  /// Removes all values.
  public var clear: @Sendable () -> Promise<Void>
  /// Reports that the system is short of memory.
  public var memoryWarning: @Sendable () -> Void
  /// Drops the in-flight load of a key, or all in-flight loads if the key is `nil`. Later gets
  /// don't join a dropped load.
  ///
  /// A write to a read-only cache calls this function and has no other effect.
  public var dropLoad: @Sendable (Key?) -> Void
  /// Makes the value of a key stale, or all values if the key is `nil`. This is the synchronous
  /// face of ``Cache/expire(_:)``. A cache without stale values removes the value instead.
  public var expire: @Sendable (Key?) -> Promise<Void>

  /// Creates a cache's operations from closures.
  ///
  /// All closures run on the caller's thread, and several threads can call them at the same time.
  ///
  /// - Parameters:
  ///   - get: Returns a value.
  ///   - set: Stores a value.
  ///   - remove: Removes a value.
  ///   - clear: Removes all values.
  ///   - memoryWarning: Reports that the system is short of memory.
  ///   - dropLoad: Drops the in-flight load of a key, or all in-flight loads if the key is `nil`.
  ///   - expire: Makes a value stale, or all values if the key is `nil`. By default, it removes
  ///     them.
  public init(
    get: @escaping @Sendable (Key) -> Promise<Value>,
    set: @escaping @Sendable (Key, Value) -> Promise<Void>,
    remove: @escaping @Sendable (Key) -> Promise<Void>,
    clear: @escaping @Sendable () -> Promise<Void>,
    memoryWarning: @escaping @Sendable () -> Void,
    dropLoad: @escaping @Sendable (Key?) -> Void,
    expire: (@Sendable (Key?) -> Promise<Void>)? = nil
  ) {
    self.get = get
    self.set = set
    self.remove = remove
    self.clear = clear
    self.memoryWarning = memoryWarning
    self.dropLoad = dropLoad
    self.expire = expire ?? { key in key.map(remove) ?? clear() }
  }

  /// Returns operations that convert each new key to a key of this cache.
  ///
  /// - Parameter transform: A closure that converts a new key to a key of this cache. When it
  ///   throws, the operation fails with that error.
  func mappingKeys<NewKey>(
    isReadOnly: Bool, get: @escaping @Sendable (NewKey) -> Promise<Value>,
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> CacheOperations<NewKey, Value> {
    let (set, remove, dropLoad, expire) = (set, remove, dropLoad, expire)
    @Sendable func write(_ key: NewKey, _ write: (Key) -> Promise<Void>) -> Promise<Void> {
      do { return write(try transform(key)) } catch {
        return isReadOnly ? Promise() : Promise(error: error)
      }
    }
    return CacheOperations<NewKey, Value>(
      get: get,
      set: { key, value in write(key) { set($0, value) } },
      remove: { key in write(key, remove) },
      clear: clear, memoryWarning: memoryWarning,
      dropLoad: { key in
        guard let key else { return dropLoad(nil) }
        if let key = try? transform(key) { dropLoad(key) }
      }, expire: { key in key.map { write($0, expire) } ?? expire(nil) })
  }
}

extension Cache {
  /// The operations of this cache.
  public var operations: CacheOperations<Key, Value> {
    CacheOperations(
      get: get, set: set, remove: remove, clear: clear, memoryWarning: memoryWarning,
      dropLoad: metadata.forget, expire: metadata.properties.expire)
  }

  /// Creates a level from its operations.
  package init(_ operations: CacheOperations<Key, Value>, plan: CachePlan) {
    let properties = CacheMetadata<Key, Value>.Properties(plan: plan, forget: operations.dropLoad)
    self.init(operations, metadata: CacheMetadata(properties))
  }

  package init(_ operations: CacheOperations<Key, Value>, metadata: CacheMetadata<Key, Value>) {
    self.init(
      get: operations.get, set: operations.set, remove: operations.remove,
      clear: operations.clear, memoryWarning: operations.memoryWarning, metadata: metadata)
  }
}
