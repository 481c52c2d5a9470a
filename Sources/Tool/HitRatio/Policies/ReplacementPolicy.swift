/// A replacement policy, which simulates a cache with integer keys.
protocol ReplacementPolicy {
  /// Requests a key. After a miss, the policy may insert the key. Returns whether the request was a
  /// hit.
  mutating func access(_ key: Int) -> Bool
}

/// The policies for replays.
enum Policy: String, CaseIterable, Sendable {
  /// The policy of the library's memory level.
  case strata
  /// The policy of the library's memory level, favoring the byte hit ratio.
  case strataBytes = "strata-bytes"
  case lru = "LRU"
  case fifo = "FIFO"
  case clock = "CLOCK"
  case sieve = "SIEVE"
  case s3fifo = "S3-FIFO"
  /// W-TinyLFU with a hill climber.
  case tinyLFU = "TinyLFU"
  case gdsf = "GDSF"
  case adaptSize = "AdaptSize"
  /// The reference implementation of the memory level's policy.
  case reference = "A2F"
  /// Belady's optimum, which requires knowledge of the future.
  case optimum = "OPT"

  /// The default policies for traces without sizes.
  static let unsized: [Policy] = [
    .strata, .lru, .fifo, .clock, .sieve, .s3fifo, .tinyLFU, .reference, .optimum,
  ]
  /// The policies that support traces with sizes.
  static let sized: [Policy] = [
    .strata, .strataBytes, .lru, .s3fifo, .tinyLFU, .gdsf, .adaptSize,
  ]

  /// Parses a name, ignoring case.
  init?(named name: String) {
    guard let policy = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else { return nil }
    self = policy
  }

  /// Returns an empty cache with this policy, for the replay of a trace. Its capacity is a number
  /// of entries, or a sum of sizes if the trace has sizes.
  ///
  /// - Parameter seed: The hash seed of the memory level in this replay. In an app, the memory
  ///   level uses a random seed.
  func cache(of capacity: Int, seed: Int = 6, for trace: RequestTrace) -> any ReplacementPolicy {
    let (keys, sizes) = (trace.keys.count, trace.sizes ?? trace.keys.map { _ in 1 })
    return switch self {
    case .strata: StrataPolicy(capacity: capacity, seed: seed, for: trace)
    case .strataBytes: StrataPolicy(capacity: capacity, favoring: .bytes, seed: seed, for: trace)
    case .lru: LRU(capacity: capacity, sizes: sizes)
    case .gdsf: GDSF(capacity: capacity, sizes: sizes)
    case .adaptSize: AdaptSize(capacity: capacity, sizes: sizes)
    case .fifo: FIFO(capacity: capacity, keys: keys)
    case .clock: Clock(capacity: capacity, keys: keys)
    case .sieve: Sieve(capacity: capacity, keys: keys)
    case .s3fifo: S3FIFO(capacity: capacity, sizes: sizes)
    case .tinyLFU: TinyLFU(capacity: capacity, sizes: sizes)
    case .reference: Reference(capacity: capacity, keys: keys)
    case .optimum: Optimum(capacity: capacity, for: trace)
    }
  }
}
