extension CacheMetadata {
  /// A level of a sum, and the time for which the sum waits for it.
  ///
  /// `Member` is a class, so copying a sum of ten thousand levels copies only references.
  @usableFromInline
  package final class Member: Sendable {
    @usableFromInline package let cache: Cache<Key, Value>
    /// The level for back-fills. If the sum has added a queue, gets don't wait for back-fills in
    /// this queue.
    @usableFromInline let fills: Cache<Key, Value>
    @usableFromInline let isReadOnly: Bool
    /// Tickets for back-fills, or `nil` if the level accepts every back-fill.
    @usableFromInline let tickets: Tickets<Key, Value>?
    /// Whether the level is a sum. A sum repairs itself after a failed write, so the sum above it
    /// needn't.
    let isSum: Bool
    /// The maximum time for which the sum waits for a get or for a write. It's `nil` if there is no
    /// limit: for the gets of an origin, and for a sum that limits its own levels.
    package let getBound, writeBound: Duration?
    /// The maximum time that a write to this level may take, even if the level is a sum that limits
    /// its own levels.
    var parkedBound: Duration? {
      let boundOfLevels = cache.metadata.conduct.boundOfLevels
      return writeBound ?? (boundOfLevels > .zero ? boundOfLevels : nil)
    }
    /// The name of the level in errors.
    package let stage: String

    /// The level without the queue that the sum has added.
    private let plain: Cache<Key, Value>
    /// The queue that the sum has added, or `nil` if the level needs none.
    private let queue: KeyedQueue?
    private let verbLimit, writeLimit: Duration?
    /// Whether a verb has created a sum of this level alone. Then only `verbLimit` and `writeLimit`
    /// bound it.
    let isVerbOnly: Bool

    /// Creates a level with the bounds that `awaitedInSum(atMost:)` has set, or with the default
    /// bounds.
    ///
    /// - Parameters:
    ///   - verbLimit: A shorter limit for each operation, or `nil`.
    ///   - writeLimit: A shorter limit for each write, or `nil`.
    ///   - queue: The queue of a level that doesn't keep the order of its calls. The default is a
    ///     new queue.
    ///   - isVerbOnly: Whether a verb creates a sum of this level alone. Then only the two limits above
    ///     bound it.
    ///   - stage: The name of the level in errors. The default is the name of the cache.
    package init(
      _ cache: Cache<Key, Value>, within verbLimit: Duration? = nil,
      writesWithin writeLimit: Duration? = nil,
      queue: KeyedQueue? = nil, isVerbOnly: Bool = false, stage: String? = nil
    ) {
      let (metadata, awaitedBound) = (cache.metadata, cache.metadata.properties.awaitedBound)
      let conduct = metadata.conduct
      let queue =
        conduct.keepsOrder
        ? nil : queue ?? KeyedQueue(clearsAtOnce: true, bounding: stage ?? cache.plan.stage)
      (plain, self.queue) = (cache, queue)
      self.cache = queue.map { cache.ordered(by: $0) } ?? cache
      fills = queue.map { cache.ordered(by: $0, isFilled: true) } ?? cache
      isReadOnly = metadata.isReadOnly
      tickets = self.cache.metadata.tickets
      isSum = conduct.isSum
      (self.verbLimit, self.writeLimit, self.isVerbOnly) = (verbLimit, writeLimit, isVerbOnly)
      self.stage = stage ?? cache.plan.stage
      let boundsItself = conduct.isSum && conduct.isPrompt && conduct.addsNoTime
      let bound = isVerbOnly ? nil : awaitedBound ?? max(.seconds(5), conduct.boundOfLevels)
      let loads = metadata.isReadOnly || metadata.plan.node.hasOrigin
      getBound = [awaitedBound == nil && (loads || boundsItself) ? nil : bound, verbLimit]
        .compactMap(\.self)
        .min()
      // A sum limits writes in its own levels, so a write never ends in the upper sum before it
      // ends in the lower one.
      writeBound =
        conduct.isSum && conduct.isPrompt
        ? nil : [bound, verbLimit, writeLimit].compactMap(\.self).min()
    }

    /// Returns this level with a change of the levels below it.
    func changed(by change: Change) -> Member {
      var writeLimit = writeLimit
      if case .writesWithin(let limit) = change { writeLimit = min(limit, writeLimit ?? limit) }
      return Member(
        plain.changed(by: change), within: verbLimit, writesWithin: writeLimit, queue: queue,
        isVerbOnly: isVerbOnly, stage: stage)
    }

    /// The level's part of the time that a sum may take for one operation.
    var longestTime: Duration {
      max(getBound ?? .zero, writeBound ?? cache.metadata.conduct.boundOfLevels)
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
