/// A cache of integers with a replacement policy.
protocol ReplacementPolicy {
  /// Requests a key, and inserts the key after a miss. Returns whether the request was a hit.
  mutating func access(_ key: Int) -> Bool
}

/// The policies that a replay can use.
enum Policy: String, CaseIterable, Sendable {
  /// The memory level of the library.
  case strata
  case lru = "LRU"
  case fifo = "FIFO"
  case clock = "CLOCK"
  case sieve = "SIEVE"
  case s3fifo = "S3-FIFO"
  /// W-TinyLFU with a hill climber.
  case tinyLFU = "TinyLFU"
  /// The reference implementation of the memory level's policy.
  case reference = "A2F"
  /// Belady's optimum, which requires knowledge of the future.
  case optimum = "OPT"

  /// Parses a name, ignoring case.
  init?(named name: String) {
    guard let policy = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else { return nil }
    self = policy
  }

  /// Returns an empty cache with this policy for a trace. The capacity is a number of entries.
  ///
  /// - Parameter seed: The hash seed of the memory level. Outside of replays, the seed is random.
  func cache(of capacity: Int, seed: Int = 6, for trace: RequestTrace) -> any ReplacementPolicy {
    let keys = trace.keys.count
    return switch self {
    case .strata: StrataPolicy(capacity: capacity, seed: seed, for: trace)
    case .lru: LRU(capacity: capacity, keys: keys)
    case .fifo: FIFO(capacity: capacity, keys: keys)
    case .clock: Clock(capacity: capacity, keys: keys)
    case .sieve: Sieve(capacity: capacity, keys: keys)
    case .s3fifo: S3FIFO(capacity: capacity, keys: keys)
    case .tinyLFU: TinyLFU(capacity: capacity, keys: keys)
    case .reference: Reference(capacity: capacity, keys: keys)
    case .optimum: Optimum(capacity: capacity, for: trace)
    }
  }
}
