extension Cache /* : sums */ {
  private var membersAsSum: [Spine<Key, Value>.Member] {
    if spine.isEmpty { return [] }
    return spine.members.isEmpty ? [Spine.Member(self)] : spine.members
  }

  /// How a sum is asked: made where the types are known, so that a hit is compiled for them.
  @usableFromInline
  typealias Asking = @Sendable (Sum<Key, Value>) -> @Sendable (Key) -> Promise<Value>

  @usableFromInline
  func sum(with lower: Cache, asking: @escaping Asking) -> Cache {
    let members = self.membersAsSum + lower.membersAsSum
    guard members.count > 1 else { return members.first?.cache ?? self }
    return Cache.sum(
      members, ledger: SharedLedger(levels: members.count), reporter: nil, asking: asking)
  }

  private static func sum(
    _ members: [Spine<Key, Value>.Member], ledger: SharedLedger, reporter: Reporter?,
    asking: @escaping Asking
  ) -> Cache {
    let sum = Sum(members, top: members[0].cache, ledger: ledger, reporter: reporter)
    return Cache(
      get: asking(sum),
      set: { key, value in sum.write(sum.hash(of: key)) { $0.set(key, value) } },
      remove: { key in sum.write(sum.hash(of: key)) { $0.remove(key) } },
      clear: { sum.write(nil) { $0.clear() } },
      memoryWarning: { for member in members { member.cache.memoryWarning() } },
      spine: Spine(
        plan: .sum([]), members: members, ledger: ledger,
        isReadOnly: members.allSatisfy(\.cache.spine.isReadOnly),
        forget: { key in for member in members { member.cache.spine.forget(key) } },
        reporting: { reporter in
          .sum(
            members.map { Spine.Member($0.cache.reporting(to: reporter)) }, ledger: ledger,
            reporter: reporter, asking: asking)
        }))
  }
}
