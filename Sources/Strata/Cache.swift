/// A cache as a plain value: a struct of functions.
///
/// Copies share what they store. Caches add up with `+`, change their keys with `<^>` and their
/// values with `<*>`; the stored functions are what verbs are written with, and call sites use
/// `value(for:)`, `set(_:for:)`, `removeValue(for:)`, `removeAll()` and `find(_:)`.
///
///     let pages: Cache<URL, String> = .memory() + .network() <*> .utf8
///     let page = try await pages.value(for: url)  // from the network, and kept in memory
///
/// Each function may be called from any thread and begins its work before it returns. A level takes
/// the operations of one key in the order in which they were called, and a get sees the writes
/// called before it, settled or not.
public struct Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Asks for a value.
  ///
  /// A miss is a failure of which `isMiss` is true.
  public let get: @Sendable (Key) -> Promise<Value>

  /// Stores a value; the promise settles when it is stored, in every level of a sum.
  public let set: @Sendable (Key, Value) -> Promise<Void>

  /// Removes a value; succeeds for a key that is absent.
  public let remove: @Sendable (Key) -> Promise<Void>

  /// Removes all values; the promise settles when every level has done so.
  public let clear: @Sendable () -> Promise<Void>

  /// Tells every level that memory is short.
  public let memoryWarning: @Sendable () -> Void

  @usableFromInline let spine: Spine<Key, Value>

  @usableFromInline
  init(
    get: @escaping @Sendable (Key) -> Promise<Value>,
    set: @escaping @Sendable (Key, Value) -> Promise<Void>,
    remove: @escaping @Sendable (Key) -> Promise<Void>,
    clear: @escaping @Sendable () -> Promise<Void>,
    memoryWarning: @escaping @Sendable () -> Void,
    spine: Spine<Key, Value>
  ) {
    self.get = get
    self.set = set
    self.remove = remove
    self.clear = clear
    self.memoryWarning = memoryWarning
    self.spine = spine
  }

  /// The static description of this cache, which prints as the expression that made it.
  ///
  ///     print((disk + network).pooled().plan)  // (disk(100 MB) + network).pooled()
  ///
  /// - Complexity: O(n) in the number of members of a sum.
  public var plan: CachePlan {
    spine.members.isEmpty ? spine.plan : .sum(spine.members.flatMap(\.cache.plan.summands))
  }
}
