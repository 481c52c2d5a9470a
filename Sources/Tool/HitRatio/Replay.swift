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

  /// The place among the capacities beyond which more room gives little, on the curve of the
  /// library, or of the first policy where it is not asked for; `nil` where none can be said to be
  /// one.
  var knee: Int? {
    Self.knee(of: ratios[policies.firstIndex(of: .strata) ?? 0], at: capacities)
  }

  /// The first place of which no later one has 0.02 more.
  ///
  /// It is none if it is the very first, as nobody knows what less room gives; nor if the last
  /// capacity is not twice its own, as nobody knows what more room gives.
  static func knee(of curve: [Double], at capacities: [Int]) -> Int? {
    let place = curve.indices.first { place in
      curve[place...].allSatisfy { $0 - curve[place] < 0.02 }
    }
    guard let place, place > 0, let last = capacities.last, last / 2 >= capacities[place] else {
      return nil
    }
    return place
  }
}

extension String {
  /// As a field of a table of values with commas: in quotes if it has to be (RFC 4180).
  var csvField: String {
    guard contains(where: { ",\"\n\r".contains($0) }) else { return self }
    return "\"" + replacing("\"", with: "\"\"") + "\""
  }
}
