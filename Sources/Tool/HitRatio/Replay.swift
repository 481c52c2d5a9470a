/// The hit ratios of a trace by policy and capacity.
struct Replay: Equatable, Sendable {
  let trace: String
  let requests: Int
  let keys: Int
  /// The capacities in ascending order.
  let capacities: [Int]
  let policies: [Policy]
  /// The hit ratios by policy and then by capacity.
  let ratios: [[Double]]

  init(_ trace: RequestTrace, _ capacities: [TraceCapacity], _ policies: [Policy], seed: Int = 6) {
    self.trace = trace.name
    (requests, keys) = (trace.requests.count, trace.keys.count)
    let entries = Set(capacities.map { $0.entries(of: trace.keys.count) }).sorted()
    (self.capacities, self.policies) = (entries, policies)
    ratios = policies.map { policy in
      entries.map { Self.hitRatio(of: policy, at: $0, seed: seed, on: trace) }
    }
  }

  static func hitRatio(
    of policy: Policy, at capacity: Int, seed: Int, on trace: RequestTrace
  ) -> Double {
    func hits(_ policy: some ReplacementPolicy) -> Int {
      var (policy, hits) = (policy, 0)
      for key in trace.requests where policy.access(key) { hits += 1 }
      return hits
    }
    let cache = policy.cache(of: capacity, seed: seed, for: trace)
    return Double(hits(cache)) / Double(trace.requests.count)
  }

  /// The CSV rows, with the columns `trace,capacity,policy,hit_ratio`.
  var csv: [String] {
    capacities.indices.flatMap { column in
      policies.indices.map { row in
        "\(trace.csvField),\(capacities[column]),\(policies[row].rawValue),"
          + ratios[row][column].inFourDecimals
      }
    }
  }

  /// The index of the capacity beyond which the hit ratio hardly increases, or `nil` if there is no
  /// such capacity.
  ///
  /// Uses the curve of the library, or of the first policy if the library isn't replayed.
  var knee: Int? {
    Self.knee(of: ratios[policies.firstIndex(of: .strata) ?? 0], at: capacities)
  }

  /// Returns the first index whose ratio no later ratio exceeds by 0.02 or more.
  ///
  /// Returns `nil` if the index is the first, because smaller capacities weren't measured. Also
  /// returns `nil` if the last capacity is less than twice the capacity at the index, because
  /// larger capacities weren't measured.
  static func knee(of curve: [Double], at capacities: [Int]) -> Int? {
    let knee = curve.indices.first { knee in
      curve[knee...].allSatisfy { $0 - curve[knee] < 0.02 }
    }
    guard let knee, knee > 0, let last = capacities.last, last / 2 >= capacities[knee] else {
      return nil
    }
    return knee
  }
}

extension String {
  /// The text as a CSV field, quoted if necessary (RFC 4180).
  var csvField: String {
    guard contains(where: { ",\"\n\r".contains($0) }) else { return self }
    return "\"" + replacing("\"", with: "\"\"") + "\""
  }
}
