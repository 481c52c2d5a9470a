/// Counts the events of a cache by stage.
///
///     let statistics = Statistics()
///     let pages = (memory.named("memory") + disk.named("disk") + network.named("network"))
///       .named("pages").observed(by: statistics.observer)
///     print(statistics.snapshot["disk"]?.hitRatio ?? 0)
///
/// The stages are the named caches and the observed cache itself. Each event takes one short
/// critical section. A cache that isn't observed has no overhead.
public final class Statistics: Sendable {
  /// The stages in the order of their first events, and their indices by name.
  private struct State {
    var stages: [Stage] = []
    var indices: [String: Int] = [:]
  }

  private let state = Lock(State())

  /// Creates statistics without events.
  public init() {}

  /// The observer that counts, for `observed(by:)`. It may observe any number of caches.
  public var observer: CacheObserver { CacheObserver { self.count($0) } }

  /// The counts so far.
  ///
  /// - Complexity: O(n) in the number of stages.
  public var snapshot: Snapshot {
    Snapshot(stages: state.withLock { $0.stages })
  }

  /// Sets all counts back to zero.
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

  /// The counts at one time.
  public struct Snapshot: Equatable, Sendable {
    /// The stages, in the order of their first events.
    public let stages: [Stage]

    /// Returns the stage with a name, or `nil` if it has no events.
    public subscript(name: String) -> Stage? { stages.first { $0.name == name } }
  }

  /// The counts of one stage.
  public struct Stage: Equatable, Sendable {
    /// The name of the stage, or the plan of an observed cache without a name.
    public let name: String
    /// The number of gets with a value.
    public private(set) var hits = 0
    /// The number of gets with a miss.
    public private(set) var misses = 0
    /// The number of cancelled gets, writes, back-fills, and refreshes.
    public private(set) var cancellations = 0
    /// The number of calls that reached the origin of a stage, such as a network.
    /// Retries count. Gets that a verb below the name answers or refuses don't count.
    public private(set) var loads = 0
    /// The number of successful back-fills of a level in this stage with a value from a level
    /// below.
    public private(set) var backFills = 0
    /// The number of successful sets, removes, and clears. Zero for an origin, such as a network.
    public private(set) var writes = 0
    /// The number of refreshes that ended with a value or with a miss of the origin. See
    /// `refreshing(_:from:)`.
    public private(set) var refreshes = 0
    /// The number of failed gets, writes, back-fills, and refreshes.
    public private(set) var failures = 0
    /// The number of times that the circuit of `breakingCircuit` opened.
    public private(set) var circuitOpenings = 0
    /// Whether the circuit is open.
    public private(set) var isCircuitOpen = false
    /// The number of memory warnings.
    public private(set) var warnings = 0
    /// The number of evicted values, by cause.
    public private(set) var evictions: [EvictionCause: Int] = [:]
    /// The size of the found values in bytes. Counts values of type `Data`, `[UInt8]`, and text.
    public private(set) var bytesRead = 0
    /// The size of the stored values in bytes, including back-fills.
    public private(set) var bytesWritten = 0
    /// The durations of the gets that weren't cancelled.
    public private(set) var latency = Latencies()

    init(name: String) { self.name = name }

    /// The fraction of hits among hits and misses, or `nil` before the first of them.
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

  /// Counts a miss as a refresh, because it's an answer. A back-fill counts the bytes of the value.
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
