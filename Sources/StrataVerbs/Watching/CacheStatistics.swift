import Synchronization

/// Counts the events of a cache by stage.
///
///     let statistics = CacheStatistics()
///     let pages = (memory.named("memory") + disk.named("disk") + network.named("network"))
///       .named("pages").observed(by: statistics.observer)
///     print(statistics.snapshot["disk"]?.hitRatio ?? 0)
///
/// Each named cache is a stage, and so is the observed cache itself. Hits cost one atomic addition
/// to a counter that only a few threads share. For any other event, the statistics take a lock for
/// a short time. Without an observer, a cache has no overhead.
///
/// The counts are exact. But only a sample of the gets is measured, because two clock reads take
/// longer than a hit in memory. See ``Stage/latency``. If the stages have another observer as well,
/// each hit creates an event, so every get is measured.
public final class CacheStatistics: Sendable {
  /// The name under which the events of all further stages are counted when the maximum number of
  /// stages has been reached.
  public static let otherStages = "other stages"

  private let stages = Lock<[String: StageCounts]>([:])
  private let limit: Int

  /// Creates statistics whose counts are all zero.
  ///
  /// Each stage takes about 10 kB. Stages are counted under their names, and unnamed caches under
  /// their plans. So a program that creates names from data, such as one for each user, would need
  /// more and more memory. Therefore the number of stages has a limit.
  ///
  /// - Parameter maximumStages: The maximum number of stages. Further stages are counted together,
  ///   as ``otherStages``. The default is 1,000. Negative numbers count as zero.
  public init(maximumStages: Int = 1_000) { limit = max(0, maximumStages) }

  /// The observer that counts events. You can pass it to `observed(by:)` of several caches.
  public var observer: CacheObserver {
    CacheObserver(false, counters: { [self.counts(of: $0).counter] }, countsOnly: true) { event in
      self.counts(of: event.stage).counter.receive(event)
    }
  }

  /// The counts so far.
  ///
  /// - Complexity: O(n) in the number of stages.
  public var snapshot: Snapshot {
    let stages = stages.withLock { $0.values.compactMap(\.current) }
    return Snapshot(stages: stages.sorted { $0.order < $1.order }.map(\.stage))
  }

  /// Sets all counts to zero. Operations that are in flight still count when they end.
  public func reset() { stages.withLock { $0.values.forEach { $0.reset() } } }

  /// Returns the counts of a stage. The first call for a stage creates them, unless the maximum
  /// number of stages has been reached.
  private func counts(of name: String) -> StageCounts {
    stages.withLock { stages in
      if let known = stages[name] { return known }
      let name = stages.count < limit ? name : Self.otherStages
      if let known = stages[name] { return known }
      let new = StageCounts(name)
      stages[name] = new
      return new
    }
  }

  /// The counters of one stage.
  private struct StageCounts: Sendable {
    /// The counts of a stage's events, and the stage's position in snapshots. Stages are ordered by
    /// the times of their first events.
    typealias Events = (stage: Stage, order: Int)

    private static let last = Atomic(0)
    private let events = Lock<Events?>(nil)
    let counter: StageCounter

    init(_ name: String) {
      counter = StageCounter { [events] event in
        events.withLock { events in
          if events == nil {
            events = (Stage(name: name), Self.last.add(1, ordering: .relaxed).newValue)
          }
          events?.stage.count(event)
        }
      }
    }

    /// The stage's counts, including hits that didn't create events, or `nil` before the stage's
    /// first event.
    var current: Events? {
      var events = events.withLock { $0 }
      events?.stage.add(counter)
      return events
    }

    func reset() {
      counter.reset()
      events.withLock { $0 = nil }
    }
  }

  /// The counts of all stages at one point in time.
  public struct Snapshot: Equatable, Sendable {
    /// The stages, in the order of their first events.
    public let stages: [Stage]

    /// Returns the stage with the given name, or `nil` if no such stage has reported an event.
    public subscript(name: String) -> Stage? { stages.first { $0.name == name } }
  }
}
