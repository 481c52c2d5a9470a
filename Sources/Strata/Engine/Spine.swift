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
  /// What a sum knows of its gets and writes under way; `nil` for any other cache.
  let ledger: SharedLedger?
  /// Whether writes change nothing, so that a value found below need not be given to it.
  @usableFromInline let isReadOnly: Bool
  /// Drops the running load of a key, or of all: what remembers a load sets it.
  let forget: @Sendable (Key?) -> Void
  /// The reads of this cache that are forwarded to a fetcher, for its writes to win over.
  @usableFromInline let forwards = Forwards<Key>()
  /// Makes this cache anew over the same state, reporting its events; `nil` if it has none.
  let reporting: (@Sendable (Reporter) -> Cache<Key, Value>)?

  init(
    plan: CachePlan, members: [Member] = [], ledger: SharedLedger? = nil, isEmpty: Bool = false,
    isReadOnly: Bool = false,
    forget: @escaping @Sendable (Key?) -> Void = { _ in },
    reporting: (@Sendable (Reporter) -> Cache<Key, Value>)? = nil
  ) {
    self.plan = plan.typed(
      CachePlan.Types(key: String(describing: Key.self), value: String(describing: Value.self)))
    self.members = members
    self.ledger = ledger
    self.isEmpty = isEmpty
    self.isReadOnly = isReadOnly
    self.forget = forget
    self.reporting = reporting
  }

  /// How a cache made of this one by `verb` is made anew to report: by `verb`, of this one made
  /// anew.
  func reporting<NewKey, NewValue>(
    through verb: @escaping @Sendable (Cache<Key, Value>) -> Cache<NewKey, NewValue>
  ) -> (@Sendable (Reporter) -> Cache<NewKey, NewValue>)? {
    guard let reporting else { return nil }
    return { verb(reporting($0)) }
  }
}
