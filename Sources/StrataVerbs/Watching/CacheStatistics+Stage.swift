extension CacheStatistics {
  /// The counts of one stage.
  public struct Stage: Equatable, Sendable {
    /// The name of the stage. For a cache without a name, this is the description of its plan.
    public let name: String
    /// The number of gets that returned a value.
    public private(set) var hits = 0
    /// The number of gets of a refreshed cache or of an HTTP level that found a stored value whose
    /// freshness had ended. These gets also count as ``hits``, unless a rule for responses rejects
    /// the value.
    public private(set) var staleHits = 0
    /// The number of gets that missed.
    public private(set) var misses = 0
    /// The number of gets, refreshes, and writes that a condition kept from the stage, with
    /// ``CacheError/conditionNotSatisfied``. Such a get is neither a hit nor a miss, because it
    /// says nothing about the stage's values.
    public private(set) var skips = 0
    /// The number of cancelled gets, writes, back-fills, and refreshes.
    public private(set) var cancellations = 0
    /// The number of calls that reached the origin of the stage, such as a network. Retries count
    /// as well. But a get doesn't count if a verb, such as `rememberingMisses`, answers or rejects
    /// it without calling the origin.
    public private(set) var loads = 0
    /// The number of successful back-fills, each of which copied a value from a lower level into a
    /// level of this stage.
    public private(set) var backFills = 0
    /// The number of successful `set`, `remove`, and `clear` calls. For an origin, such as a
    /// network, it's zero, because an origin doesn't store values.
    public private(set) var writes = 0
    /// The number of refreshes for which the origin returned a value or a miss. See
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
    /// The total size, in bytes, of the values returned by `get` calls. Only values of type `Data`,
    /// `[UInt8]`, or `String` count.
    public private(set) var bytesRead = 0
    /// The total size, in bytes, of the values stored by `set` calls and back-fills.
    public private(set) var bytesWritten = 0
    /// The total size, in bytes, of the evicted values. It doesn't include the values that a disk
    /// level evicts, because their sizes aren't known.
    public private(set) var bytesEvicted = 0
    /// The number of pending gets and writes of the stage.
    public private(set) var inFlight = 0
    /// The durations of the gets that weren't cancelled. In an origin, every get is measured, from
    /// its call to its answer. In other stages, every pending get is measured. Of the gets that
    /// settle immediately, only a sample is measured.
    ///
    /// A get in the sample is measured from its call. The duration of a pending get that isn't in
    /// the sample begins when its call returns a promise.
    ///
    /// To choose the sample, a stage divides all threads into 32 groups, and counts the gets of
    /// each group separately. In each group, the first 64 gets are measured. After these, about one
    /// in 64 of the gets that settle immediately is measured. This get represents 64 gets, so its
    /// duration is recorded 64 times.
    ///
    /// So in each group of threads, the number of recorded durations is only approximately the
    /// number of gets. Usually, they differ by at most a few hundred, and by at most a few percent
    /// if there are many gets.
    public private(set) var latency = LatencyHistogram()

    init(name: String) { self.name = name }

    /// The number of hits divided by the total number of hits and misses, or `nil` if both numbers
    /// are zero.
    public var hitRatio: Double? {
      hits + misses == 0 ? nil : Double(hits) / Double(hits + misses)
    }
  }
}

extension CacheStatistics.Stage {
  mutating func count(_ event: CacheEvent) {
    switch event.operation {
    case .get: countGet(event)
    case .set, .remove, .clear, .expire: if !event.isOrigin { countWrite(event, \.writes) }
    case .backFill: countWrite(event, \.backFills)
    case .refresh: countRefresh(event)
    case .eviction:
      evictions[event.cause ?? .capacity, default: 0] += 1
      bytesEvicted.add(event.bytes ?? 0)
    case .memoryWarning: warnings += 1
    case .load: loads += 1
    case .stale: staleHits += 1
    case .join, .wait: break  // Each is part of a get, and only the get counts.
    case .unusable: failures += 1
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
      bytesRead.add(event.bytes ?? 0)
    case .miss(let error):
      guard error.isAbsence else { return skips += 1 }
      misses += 1
    case .failure: failures += 1
    case .cancelled:
      cancellations += 1
      return
    }
    if let duration = event.duration { latency.record(duration, count: event.weight) }
  }

  /// Counts a refresh, which succeeds if the origin returns a value or a miss. The bytes of the
  /// value are counted when a back-fill stores it.
  private mutating func countRefresh(_ event: CacheEvent) {
    switch event.outcome {
    case .miss(let error) where !error.isAbsence: skips += 1
    case .success, .miss: refreshes += 1
    case .failure: failures += 1
    case .cancelled: cancellations += 1
    }
  }

  private mutating func countWrite(_ event: CacheEvent, _ counter: WritableKeyPath<Self, Int>) {
    switch event.outcome {
    case .success:
      self[keyPath: counter] += 1
      bytesWritten.add(event.bytes ?? 0)
    case .miss(let error) where !error.isAbsence: skips += 1
    case .miss, .failure: failures += 1
    case .cancelled: cancellations += 1
    }
  }

  /// Adds the hits that a counter has counted without creating events, and copies the counter's
  /// number of in-flight operations.
  mutating func add(_ counter: StageCounter) {
    let counts = counter.counts
    hits.add(counts.hits)
    bytesRead.add(counts.bytes)
    inFlight = counter.inFlight
  }
}
