/// A cache as a plain value: a struct of functions.
///
/// Copies share what they store. Caches add up with `+`, change their keys with `<^>` and their
/// values with `<*>`; the stored functions are what verbs are written with, and call sites use
/// `value(for:)`, `set(_:for:)`, `removeValue(for:)`, `removeAll()` and `find(_:)`.
///
///     let pages = .memory() + (\.absoluteString <^> .disk("pages") + …)
///     let page = try await pages.value(for: url)
///
/// Each function may be called from any thread. A level takes the operations of one key in the order
/// in which they were called, and a get sees the writes called before it, settled or not.
public struct Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Asks for a value. A miss is a failure of which ``Swift/Error/isMiss`` is true.
  public let get: @Sendable (Key) -> Promise<Value>

  /// Stores a value; the promise settles when it is stored.
  public let set: @Sendable (Key, Value) -> Promise<Void>

  /// Removes a value; succeeds for a key that is absent.
  public let remove: @Sendable (Key) -> Promise<Void>

  /// Removes all values.
  public let clear: @Sendable () -> Promise<Void>

  /// Tells the cache that memory is short.
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

  /// The static description of this cache.
  ///
  /// - Complexity: O(n) in the number of members of a sum.
  public var plan: CachePlan {
    spine.members.isEmpty ? spine.plan : .sum(spine.members.flatMap(\.cache.plan.summands))
  }
}

/// What a cache is made of, beside its functions: the static side of it.
@usableFromInline
final class Spine<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A cache in an object of its own: a sum of ten thousand is copied as ten thousand references.
  @usableFromInline
  final class Member: Sendable {
    @usableFromInline let cache: Cache<Key, Value>
    init(_ cache: Cache<Key, Value>) { self.cache = cache }
  }

  let plan: CachePlan
  /// The levels of a sum; none for any other cache, and for the empty one.
  let members: [Member]
  let isEmpty: Bool
  /// Whether writes change nothing, so that a value found below need not be given to it.
  let isReadOnly: Bool
  /// Drops the running load of a key, or of all: what remembers a load sets it.
  let forget: @Sendable (Key?) -> Void
  /// Makes this cache anew over the same state, reporting its events; `nil` if it has none.
  let reporting: (@Sendable (Reporter) -> Cache<Key, Value>)?

  init(
    plan: CachePlan, members: [Member] = [], isEmpty: Bool = false, isReadOnly: Bool = false,
    forget: @escaping @Sendable (Key?) -> Void = { _ in },
    reporting: (@Sendable (Reporter) -> Cache<Key, Value>)? = nil
  ) {
    self.plan = plan
    self.members = members
    self.isEmpty = isEmpty
    self.isReadOnly = isReadOnly
    self.forget = forget
    self.reporting = reporting
  }

  /// How a cache made of this one by `verb` is made anew to report: by `verb`, of this one made anew.
  func reporting<NewKey, NewValue>(
    through verb: @escaping @Sendable (Cache<Key, Value>) -> Cache<NewKey, NewValue>
  ) -> (@Sendable (Reporter) -> Cache<NewKey, NewValue>)? {
    guard let reporting else { return nil }
    return { verb(reporting($0)) }
  }
}
