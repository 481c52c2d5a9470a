/// Counts what happens in a cache, by stage.
///
///     let statistics = Statistics()
///     let pages = (memory.named("memory") + disk.named("disk") + network.named("network"))
///       .named("pages").observed(by: statistics.observer)
///     print(statistics.snapshot["disk"]?.hitRatio ?? 0)
///
/// A stage is what has a name, and the observed cache itself. An event costs one short critical
/// section; a cache that is not observed pays nothing.
public final class Statistics: Sendable {
  /// The stages in the order of their first events, and their indices by name.
  private struct State {
    var stages: [Stage] = []
    var indices: [String: Int] = [:]
  }

  private let state = Lock(State())

  /// Makes statistics of nothing yet.
  public init() {}

  /// What counts, for `observed(by:)`; of as many caches as one likes.
  public var observer: CacheObserver { CacheObserver { self.count($0) } }

  /// What was counted until now.
  ///
  /// - Complexity: O(n) in the number of stages.
  public var snapshot: Snapshot {
    Snapshot(stages: state.withLock { $0.stages })
  }

  /// Starts anew from zero.
  public func reset() { state.withLock { $0 = State() } }

  private func count(_ event: CacheEvent) {
    state.withLock { state in
      let index = state.indices[event.stage] ?? state.stages.count
      if index == state.stages.count {
        state.indices[event.stage] = index
        state.stages.append(Stage(name: event.stage))
      }
      state.stages[index].count(event)
    }
  }

  /// What was counted until a moment.
  public struct Snapshot: Equatable, Sendable {
    /// The stages, in the order in which each was first heard of.
    public let stages: [Stage]

    /// The stage of a name, if anything happened there.
    public subscript(name: String) -> Stage? { stages.first { $0.name == name } }
  }

  /// What was counted of one stage.
  public struct Stage: Equatable, Sendable {
    /// Its name, or the plan of an observed cache without one.
    public let name: String
    /// Gets that found a value.
    public private(set) var hits = 0
    /// Gets that found none.
    public private(set) var misses = 0
    /// Gets of which nobody wanted the answer any more.
    public private(set) var cancellations = 0
    /// Calls that reached the origin of a stage that stores nothing, such as a network. Retries
    /// count, and gets that a verb below the name answers or refuses don't.
    public private(set) var loads = 0
    /// Values found beneath and written into a level above, successfully, within this stage.
    public private(set) var backFills = 0
    /// Writes that ended well: of one value, or of none for a remove or clear. A stage that stores
    /// nothing, such as a network, has none: what it is given it forgets.
    public private(set) var writes = 0
    /// Refreshes that ended with a value, or with the word of the origin that there is none; see
    /// `refreshing(_:from:)`.
    public private(set) var refreshes = 0
    /// Gets, writes, back-fills and refreshes that failed.
    public private(set) var failures = 0
    /// The number of times that the circuit of `breakingCircuit` opened.
    public private(set) var circuitOpenings = 0
    /// Whether the circuit is open.
    public private(set) var isCircuitOpen = false
    /// Memory warnings.
    public private(set) var warnings = 0
    /// Values that a level let go of, by the reason.
    public private(set) var evictions: [EvictionCause: Int] = [:]
    /// The bytes of the values found, as far as those are `Data`, `[UInt8]` or text.
    public private(set) var bytesRead = 0
    /// The bytes of the values stored, back-fills included.
    public private(set) var bytesWritten = 0
    /// How long gets took that were not cancelled.
    public private(set) var latency = Latencies()

    init(name: String) { self.name = name }

    /// The part of gets that found a value, of those that found one or none; `nil` before the
    /// first.
    public var hitRatio: Double? {
      hits + misses == 0 ? nil : Double(hits) / Double(hits + misses)
    }
  }
}

extension Statistics.Stage {
  mutating func count(_ event: CacheEvent) {
    switch event.operation {
    case .get: countGet(event)
    case .set, .remove, .clear: if !event.isOrigin { countWrite(event, \.writes) }
    case .backFill: countWrite(event, \.backFills)
    case .refresh: countRefresh(event)
    case .eviction: evictions[event.cause ?? .capacity, default: 0] += 1
    case .memoryWarning: warnings += 1
    case .load: loads += 1
    case .join, .wait: break  // Of a get, which is counted when it ends.
    case .circuit:
      if case .failure = event.outcome { circuitOpenings += 1 }
      if case .success = event.outcome { isCircuitOpen = false } else { isCircuitOpen = true }
    }
  }

  private mutating func countGet(_ event: CacheEvent) {
    if event.isLoad { loads += 1 }
    switch event.outcome {
    case .success:
      hits += 1
      bytesRead += event.bytes ?? 0
    case .miss: misses += 1
    case .failure: failures += 1
    case .cancelled:
      cancellations += 1
      return
    }
    latency.record(event.duration)
  }

  /// What a refresh brings is written by a back-fill, which is counted; and a miss is an answer.
  private mutating func countRefresh(_ event: CacheEvent) {
    switch event.outcome {
    case .success, .miss: refreshes += 1
    case .failure: failures += 1
    case .cancelled: cancellations += 1
    }
  }

  private mutating func countWrite(_ event: CacheEvent, _ counter: WritableKeyPath<Self, Int>) {
    switch event.outcome {
    case .success:
      self[keyPath: counter] += 1
      bytesWritten += event.bytes ?? 0
    case .miss, .failure: failures += 1
    case .cancelled: cancellations += 1
    }
  }
}
