extension CacheMetadata {
  /// A level of a sum, and the time that the sum waits for it.
  ///
  /// `Member` is a class, so copying a sum of ten thousand levels copies only references.
  @usableFromInline
  final class Member: Sendable {
    @usableFromInline let cache: Cache<Key, Value>
    @usableFromInline let isReadOnly: Bool
    /// Tickets for back-fills, or `nil` if the level accepts every back-fill.
    @usableFromInline let tickets: Tickets<Key, Value>?
    /// Whether the level is a sum. Such a level repairs itself after a failed write.
    let isSum: Bool
    /// The longest time that the sum waits for a get or for a write, or `nil` for any time. A sum
    /// bounds its own levels, so it has no bound itself.
    let getBound, writeBound: Duration?
    /// The name of the level in errors.
    let stage: String

    private let limit, hurry: Duration?
    /// Whether a verb has made a sum of this level alone. Then only late and refused writes hide a key.
    let isAlone: Bool

    /// Creates a level with the bounds that `awaited(atMost:)` has set, or with the default bounds.
    ///
    /// - Parameters:
    ///   - limit: A shorter limit for each operation, if any.
    ///   - hurry: A shorter limit for each write, if any.
    ///   - isAlone: Whether `limit` is the only bound.
    ///   - stage: The name of the level in errors. By default, the name of the cache.
    init(
      _ cache: Cache<Key, Value>, within limit: Duration? = nil, writesWithin hurry: Duration? = nil,
      isAlone: Bool = false, stage: String? = nil
    ) {
      let (metadata, patience) = (cache.metadata, cache.metadata.properties.patience)
      let conduct = metadata.conduct
      self.cache = conduct.keepsOrder ? cache : cache.ordered
      isReadOnly = metadata.isReadOnly
      tickets = self.cache.metadata.tickets
      isSum = conduct.isSum
      (self.limit, self.hurry, self.isAlone) = (limit, hurry, isAlone)
      self.stage = stage ?? cache.plan.stage
      let isFree = conduct.isSum && conduct.isPrompt && conduct.addsNoTime
      let bound = isAlone ? nil : patience ?? max(.seconds(5), conduct.allowance)
      let loads = metadata.isReadOnly || metadata.plan.node.hasOrigin
      getBound = [patience == nil && (loads || isFree) ? nil : bound, limit].compactMap(\.self).min()
      // A sum limits its writes in its levels, so a write never ends above before it ends below.
      writeBound =
        conduct.isSum && conduct.isPrompt ? nil : [bound, limit, hurry].compactMap(\.self).min()
    }

    /// Returns this level with a change of the levels below it.
    func changed(by change: Change) -> Member {
      var hurry = hurry
      if case .hurried(let limit) = change { hurry = min(limit, hurry ?? limit) }
      return Member(
        cache.changed(by: change), within: limit, writesWithin: hurry, isAlone: isAlone,
        stage: stage)
    }

    /// The level's part of the time that a sum may take for one operation.
    var allowance: Duration {
      max(getBound ?? .zero, writeBound ?? cache.metadata.conduct.allowance)
    }
  }
}

extension Cache {
  /// The members that this cache contributes to a sum.
  var membersAsSum: [CacheMetadata<Key, Value>.Member] {
    if !metadata.members.isEmpty { return metadata.members }
    return [metadata.properties.member ?? CacheMetadata.Member(self)]
  }
}
