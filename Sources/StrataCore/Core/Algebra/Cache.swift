/// A cache: a struct of functions that get, store, and remove values.
///
/// Combine caches with `+`, map their keys with `<^>`, and map their values with `<*>`. To use a
/// cache, await `value(for:)`, `findValue(for:)`, `outcomes(for:)`, `set(_:for:)`,
/// `removeValue(for:)`, or `removeAll()`. These methods call the functions that the struct stores.
/// The stored functions are the synchronous face: each begins its work and returns a promise.
/// Copies of a cache share their storage.
///
///     let pages: Cache<URL, String> = .memory() + .network() <*> .utf8
///     let page = try await pages.value(for: url)  // from the network, and stored in memory
///
/// You can call each function on any thread. Usually, it begins its work before it returns. But a
/// write that overlaps another write to its key may begin later, on another thread. The operations
/// of each key take effect in the order in which they were called. So a get sees all earlier writes
/// to its key, even those that haven't settled.
public struct Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Returns the value of a key. To report a miss, it fails with an error whose `isMiss` is true.
  public let get: @Sendable (Key) -> Promise<Value>

  /// Stores a value. In a sum, the promise settles when the write has settled in every level.
  public let set: @Sendable (Key, Value) -> Promise<Void>

  /// Removes a value. The promise succeeds even if the key is absent.
  public let remove: @Sendable (Key) -> Promise<Void>

  /// Removes all values. In a sum, the promise settles when the removal has settled in every level.
  public let clear: @Sendable () -> Promise<Void>

  /// Reports to every level that the system is short of memory.
  public let memoryWarning: @Sendable () -> Void

  @usableFromInline package let metadata: CacheMetadata<Key, Value>

  @usableFromInline
  package init(
    get: @escaping @Sendable (Key) -> Promise<Value>,
    set: @escaping @Sendable (Key, Value) -> Promise<Void>,
    remove: @escaping @Sendable (Key) -> Promise<Void>,
    clear: @escaping @Sendable () -> Promise<Void>,
    memoryWarning: @escaping @Sendable () -> Void,
    metadata: CacheMetadata<Key, Value>
  ) {
    self.get = get
    self.set = set
    self.remove = remove
    self.clear = clear
    self.memoryWarning = memoryWarning
    self.metadata = metadata
  }

  /// The static description of this cache. Print the plan to see the expression that creates the
  /// cache.
  ///
  ///     print((disk + network).pooled().plan)  // (disk(100 MB) + network).pooled()
  ///
  /// - Complexity: O(n) in the number of members of a sum.
  public var plan: CachePlan {
    metadata.members.isEmpty ? metadata.plan : .sum(metadata.members.map(\.cache.plan))
  }
}
