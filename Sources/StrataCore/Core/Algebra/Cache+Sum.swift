extension Cache /* : sums */ {
  /// A closure that creates the `get` function of a sum. In inlinable functions, the compiler can
  /// specialize it for concrete types.
  @usableFromInline
  package typealias SumGet = @Sendable (Sum<Key, Value>) -> @Sendable (Key) -> Promise<Value>

  @usableFromInline
  func sum(with lower: Cache, get: @escaping SumGet) -> Cache {
    if metadata.isEmpty { return lower }
    if lower.metadata.isEmpty { return self }
    return .sum(
      membersAsSum + lower.membersAsSum, clock: metadata.clock ?? lower.metadata.clock, get: get)
  }

  /// Creates a sum.
  ///
  /// - Parameters:
  ///   - order: The order of an existing sum, whose state the new sum shares.
  ///   - verb: The plan of the verb that creates this sum, if it's a sum of one level. It's `nil`
  ///     for other sums.
  ///   - member: The member that a sum of one level contributes to another sum.
  package static func sum(
    _ members: [CacheMetadata<Key, Value>.Member], order: SumOrder? = nil,
    clock: TimeSource?, _ reporter: Reporter? = nil, probes: [GetProbe] = [],
    peeks: Bool = false, verb: CachePlan? = nil,
    member: CacheMetadata<Key, Value>.Member? = nil, get: @escaping SumGet
  ) -> Cache {
    let order = order ?? SumOrder(levels: members.count)
    let sum = Sum(
      members, order: order, clock: clock ?? .system, reporter: reporter, probes, peeks: peeks)
    var properties = CacheMetadata<Key, Value>.Properties(plan: verb ?? .empty)
    properties.members = verb == nil ? members : []
    properties.member = member
    properties.isReadOnly = members.allSatisfy(\.isReadOnly)
    properties.clock = clock
    properties.conduct = Conduct(
      keepsOrder: true, isSum: true,
      boundOfLevels: members.reduce(.zero) { $0 + $1.longestTime })
    properties.forget = { key in for member in members { member.cache.metadata.forget(key) } }
    properties.tickets = sum.tickets
    let listings = members.filter { !$0.isReadOnly }.map(\.cache.metadata.properties.listing)
    if listings.allSatisfy({ $0 != nil }) {
      properties.listing = { listings.flatMap { $0?() ?? [] } }
    }
    properties.hit = sum.hit
    properties.expire = { key in sum.write(key) { cache, _ in cache.operations.expire(key) } }
    properties.works = { works in
      works.add(order.work)
      for member in members { works.add(of: member.cache) }
    }
    if verb != nil {  // Verbs above it have the bounds of the level.
      let only = members[0].cache
      properties.source = only.source
      properties.conduct = only.metadata.conduct
      properties.awaitedBound = only.metadata.properties.awaitedBound
    }
    properties.rebuilding = { change in
      var (clock, reporter, get, peeks) = (clock, reporter, get, peeks)
      if case .reading(.peeking) = change { peeks = true }
      if case .reporting(let new) = change { reporter = new }
      if case .clocked(let new) = change { clock = clock ?? new }
      if case .reading(.reloading) = change, members.count > 1 {
        get = { sum in { sum.reload($0) } }
      }
      let probed = probes.isEmpty ? GetProbe.probing(members, by: change) : nil
      return .sum(
        probed?.members ?? members.map { $0.changed(by: change) }, order: order, clock: clock,
        reporter, probes: probed?.probes ?? probes, peeks: peeks, verb: verb,
        member: member?.changed(by: change), get: get)
    }
    return sum.cache(get: sum.probing(get(sum)), CacheMetadata(properties))
  }
}

extension Sum {
  func cache(
    get: @escaping @Sendable (Key) -> Promise<Value>,
    set: (@Sendable (Key, Value) -> Promise<Void>)? = nil, _ metadata: CacheMetadata<Key, Value>
  ) -> Cache<Key, Value> {
    Cache(
      get: get,
      set: set ?? { key, value in self.write(key) { cache, _ in cache.set(key, value) } },
      remove: { key in self.write(key) { cache, _ in cache.remove(key) } },
      clear: { self.write(nil) { cache, _ in cache.clear() } },
      memoryWarning: { for member in self.members { member.cache.memoryWarning() } },
      metadata: metadata)
  }

  /// Returns the variant of this sum whose `set` presents the tickets when it fills the levels.
  func cache(set: @escaping @Sendable (Key, Value) -> Promise<Void>) -> Cache<Key, Value> {
    cache(get: { self.get($0) }, set: set, CacheMetadata(plan: .empty))
  }
}
