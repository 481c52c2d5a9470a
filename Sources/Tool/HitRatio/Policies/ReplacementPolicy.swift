/// Who stays and who leaves: a cache of numbers that is asked for them one by one.
protocol ReplacementPolicy {
  /// Asks for a key, and takes it in if it is not there; tells whether it was.
  mutating func access(_ key: Int) -> Bool
}

/// The policies that a trace is replayed under.
enum Policy: String, CaseIterable, Sendable {
  /// The library's own memory level.
  case strata
  case lru = "LRU"
  case fifo = "FIFO"
  case clock = "CLOCK"
  case sieve = "SIEVE"
  case s3fifo = "S3-FIFO"
  /// Belady's: what nobody can do who does not know the future.
  case optimum = "OPT"

  /// By its name, in capitals or not.
  init?(named name: String) {
    guard let policy = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else { return nil }
    self = policy
  }

  /// An empty cache of so many entries under this policy, for this trace alone.
  ///
  /// - Parameter seed: What the hash of the memory level is made of; in a program it is a secret.
  func cache(of capacity: Int, seed: Int = 6, for trace: Trace) -> any ReplacementPolicy {
    let keys = trace.keys.count
    return switch self {
    case .strata: StrataPolicy(capacity: capacity, seed: seed, for: trace)
    case .lru: LRU(capacity: capacity, keys: keys)
    case .fifo: FIFO(capacity: capacity, keys: keys)
    case .clock: Clock(capacity: capacity, keys: keys)
    case .sieve: Sieve(capacity: capacity, keys: keys)
    case .s3fifo: S3FIFO(capacity: capacity, keys: keys)
    case .optimum: Optimum(capacity: capacity, for: trace)
    }
  }
}
