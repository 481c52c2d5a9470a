/// The mode in which the gets of a derived cache read the levels. See ``Cache/stored``.
package struct ReadMode: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A mode in which gets call no origin.
  package static let stored = ReadMode(rawValue: 1)
  /// Gets skip stored values.
  package static let reloading = ReadMode(rawValue: 2)
  /// Gets call no origin, and leave no trace.
  package static let peeking = ReadMode(rawValue: 4)

  /// The modes that call no origin.
  package static let withoutOrigins: ReadMode = [.stored, .peeking]
}

extension Cache {
  /// Returns this cache with gets in another mode. The two caches share all state.
  ///
  /// The role of a level decides: `stored` and `peeking` skip origins, and `reloading` skips all
  /// other levels. When all levels below a verb are skipped, the verb is skipped as well. So a
  /// limit, a circuit breaker, or a retry of an origin doesn't affect a get that won't call this
  /// origin.
  func read(in mode: ReadMode) -> Cache {
    if metadata.reads.contains(mode) { return self }
    let (node, change) = (plan.node, Change.reading(mode))
    let isSkipped = mode == .reloading ? !node.mayLoad : !node.hasStorage
    if isSkipped { return skipped().marked(mode) }
    if mode == .stored, !node.mayLoad { return marked(mode) }
    let rebuilt = metadata.properties.rebuilding?(change)
    // A level that doesn't know the mode, and that may call its origin, must not be read.
    let isUnknown = rebuilt == nil && node.mayLoad && mode != .reloading
    let other = isUnknown ? skipped() : mode == .peeking ? peekingLevel : self
    return (rebuilt ?? other).marked(mode)
  }

  private func marked(_ mode: ReadMode) -> Cache {
    with {
      $0.reads.insert(mode)
    } again: {
      $0.marked(mode)
    }
  }

  /// A copy of this cache in which every get misses. Its writes and back-fills reach the level,
  /// even if the level has a value.
  private func skipped() -> Cache {
    var operations = operations
    operations.get = { _ in .miss }
    let plan = plan
    let skipped = with {
      ($0.plan, $0.members, $0.member, $0.bulk, $0.isSkipped) = (plan, [], nil, nil, true)
      $0.hit = nil
      $0.tickets = $0.tickets.map { tickets in
        Tickets(take: { key, _ in tickets.take(key, true) }, filling: tickets.filling)
      }
    } again: {
      $0.skipped()
    }
    return Cache(operations, metadata: skipped.metadata)
  }

  /// This level, whose gets affect neither statistics nor evictions, if the level has such gets.
  private var peekingLevel: Cache {
    guard let peek = metadata.properties.peek, !metadata.properties.isSkipped else { return self }
    var operations = operations
    operations.get = peek
    let level = with {
      ($0.bulk, $0.hit) = (nil, nil)
    } again: {
      $0
    }
    return Cache(operations, metadata: level.metadata)
  }

  /// Returns this level, which calls `make` whenever a derived cache needs the level in another mode.
  package func reading(
    by make: @escaping @Sendable (_ mode: ReadMode) -> Cache
  ) -> Cache {
    let rebuilding = metadata.properties.rebuilding
    return with {
      $0.rebuilding = { change in
        if case .reading(let mode) = change { return make(mode) }
        return rebuilding?(change)
      }
    }
  }
}

extension CacheMetadata {
  /// Returns the metadata of a level that can read a value without a trace in its statistics,
  /// eviction policy, and idle times.
  ///
  /// - Parameter hit: Reads a value in memory as `get` does, but leaves no trace if there is no
  ///   value.
  @usableFromInline
  package func peeking(
    _ peek: @escaping @Sendable (Key) -> Promise<Value>,
    hit: (@Sendable (Key) -> Promise<Value>)? = nil
  ) -> CacheMetadata {
    with { ($0.peek, $0.hit) = (peek, hit) }
  }
}
