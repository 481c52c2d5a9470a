extension Cache /* : sums */ {
  private var membersAsSum: [CacheMetadata<Key, Value>.Member] {
    if metadata.isEmpty { return [] }
    return metadata.members.isEmpty ? [CacheMetadata.Member(self)] : metadata.members
  }

  /// A closure that creates the `get` function of a sum. The functions that pass this closure are
  /// inlinable, so the compiler can specialize the closure for concrete types.
  @usableFromInline
  typealias SumGet = @Sendable (Sum<Key, Value>) -> @Sendable (Key) -> Promise<Value>

  @usableFromInline
  func sum(with lower: Cache, get: @escaping SumGet) -> Cache {
    let members = self.membersAsSum + lower.membersAsSum
    guard members.count > 1 else { return members.first?.cache ?? self }
    return Cache.sum(
      members, order: OperationOrder(members.map { $0.isSum ? .ordered : .sum }),
      clock: metadata.clock ?? lower.metadata.clock, nil, get: get)
  }

  private static func sum(
    _ members: [CacheMetadata<Key, Value>.Member], order: OperationOrder, clock: TimeSource?,
    _ reporter: Reporter?, isLeasing: Bool = false, get: @escaping SumGet
  ) -> Cache {
    let sum = Sum(
      members, order: order, clock: clock ?? .system, reporter: reporter, isLeasing: isLeasing)
    var leased: CacheMetadata<Key, Value>.Leasing?
    if members.contains(where: { $0.isLeasing }) {
      leased = { use in
        .sum(
          leasing(members, use), order: order, clock: clock, reporter, isLeasing: true, get: get)
      }
    }
    return Cache(
      get: get(sum),
      set: { key, value in sum.write(sum.hash(of: key), key) { $0.set(key, value) } },
      remove: { key in sum.write(sum.hash(of: key), key) { $0.remove(key) } },
      clear: { sum.write(nil, nil) { $0.clear() } },
      memoryWarning: { for member in members { member.cache.memoryWarning() } },
      metadata: CacheMetadata(
        plan: .empty, members: members, order: order,
        isReadOnly: members.allSatisfy(\.cache.metadata.isReadOnly),
        clock: clock,
        rebuilding: {
          .sum($0, order: order, clock: $1, reporter, isLeasing: isLeasing, get: get)
        },
        forget: { key in for member in members { member.cache.metadata.forget(key) } },
        reporting: { reporter in
          .sum(
            members.map { CacheMetadata.Member($0.cache.reporting(to: reporter)) }, order: order,
            clock: clock, reporter, isLeasing: isLeasing, get: get)
        },
        leasing: leased, claims: sum.claims))
  }

  /// Returns the levels of a sum, prepared for reading or for a back-fill. A lease is the right to
  /// back-fill a key. In a back-fill, each level that needs a lease uses its own lease. A level
  /// whose lease is missing refuses the value.
  private static func leasing(
    _ members: [CacheMetadata<Key, Value>.Member], _ use: LeaseUse
  ) -> [CacheMetadata<Key, Value>.Member] {
    guard case .backFilling(let leases) = use else { return members }
    return members.indices.map { level in
      let filling = members[level].filling(with: leases as? SumLeases, of: level)
      return CacheMetadata.Member(filling ?? members[level].cache.refusingBackFills)
    }
  }
}
