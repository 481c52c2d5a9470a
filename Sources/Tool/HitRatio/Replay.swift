/// What a trace gave under every policy, at every capacity.
struct Replay: Equatable, Sendable {
  let trace: String
  let requests: Int
  let keys: Int
  /// In ascending order.
  let capacities: [Int]
  let policies: [Policy]
  /// Hits over requests, by policy and then by capacity.
  let ratios: [[Double]]

  init(_ trace: Trace, _ capacities: [Capacity], _ policies: [Policy], seed: Int = 6) {
    self.trace = trace.name
    (requests, keys) = (trace.requests.count, trace.keys.count)
    let entries = Set(capacities.map { $0.entries(of: trace.keys.count) }).sorted()
    (self.capacities, self.policies) = (entries, policies)
    ratios = policies.map { policy in
      entries.map { Self.hitRatio(of: policy, at: $0, seed: seed, on: trace) }
    }
  }

  static func hitRatio(
    of policy: Policy, at capacity: Int, seed: Int, on trace: Trace
  ) -> Double {
    func hits(_ policy: some ReplacementPolicy) -> Int {
      var (policy, hits) = (policy, 0)
      for key in trace.requests where policy.access(key) { hits += 1 }
      return hits
    }
    let cache = policy.cache(of: capacity, seed: seed, for: trace)
    return Double(hits(cache)) / Double(trace.requests.count)
  }

  /// The rows of `trace,capacity,policy,hit_ratio`.
  var csv: [String] {
    capacities.indices.flatMap { column in
      policies.indices.map { row in
        "\(trace.csvField),\(capacities[column]),\(policies[row].rawValue),"
          + ratios[row][column].inFourDecimals
      }
    }
  }

  /// The place among the capacities beyond which more room gives little, on the curve of the library,
  /// or of the first policy where it is not asked for; `nil` for less than three places.
  ///
  /// It is where the curve lies highest above the line from its first point to its last.
  var knee: Int? {
    let curve = ratios[policies.firstIndex(of: .strata) ?? 0]
    guard capacities.count > 2, let first = curve.first, let last = curve.last, last > first
    else { return nil }
    let (left, right) = (Double(capacities[0]), Double(capacities[capacities.count - 1]))
    let heights = curve.indices.map { index in
      (curve[index] - first) / (last - first) - (Double(capacities[index]) - left) / (right - left)
    }
    guard let highest = heights.max(), highest > 0 else { return nil }
    return heights.firstIndex(of: highest)
  }
}

extension String {
  /// As a field of a table of values with commas: in quotes if it has to be (RFC 4180).
  var csvField: String {
    guard contains(where: { ",\"\n\r".contains($0) }) else { return self }
    return "\"" + replacing("\"", with: "\"\"") + "\""
  }
}
