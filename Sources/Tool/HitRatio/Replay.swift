/// The hit ratios of a trace by policy and capacity.
struct Replay: Equatable, Sendable {
  let trace: String
  let requests: Int
  let keys: Int
  /// The sum of the sizes of all keys, or `nil` for a trace without sizes.
  let bytes: Int?
  /// The capacities in ascending order.
  let capacities: [Int]
  let policies: [Policy]
  /// The hit ratios, indexed by policy and then by capacity.
  let ratios: [[Double]]
  /// The byte hit ratios, indexed by policy and then by capacity. For a trace without sizes, the
  /// byte hit ratios equal the hit ratios.
  let byteRatios: [[Double]]

  init(
    _ trace: RequestTrace, _ capacities: [TraceCapacity], _ policies: [Policy], seed: Int = 6,
    step: (Double) -> Void = { _ in }
  ) {
    self.trace = trace.name
    (requests, keys) = (trace.requests.count, trace.keys.count)
    bytes = trace.sizes?.reduce(0, +)
    let whole = bytes ?? trace.keys.count
    let entries = Set(capacities.map { $0.entries(of: whole) }).sorted()
    (self.capacities, self.policies) = (entries, policies)
    let all = policies.enumerated().map { row, policy in
      // With twice the room of the whole trace, nothing is evicted. More room would only make the
      // policies reserve memory for entries that the trace doesn't have.
      entries.enumerated().map { column, entries in
        step((Double(row) + Double(column) / Double(capacities.count)) / Double(policies.count))
        return Self.hitRatios(of: policy, at: min(entries, 2 * whole), seed: seed, on: trace)
      }
    }
    (ratios, byteRatios) = (all.map { $0.map(\.objects) }, all.map { $0.map(\.bytes) })
  }

  static func hitRatios(
    of policy: Policy, at capacity: Int, seed: Int, on trace: RequestTrace
  ) -> (objects: Double, bytes: Double) {
    func hits(_ policy: some ReplacementPolicy) -> (objects: Double, bytes: Double) {
      var policy = policy
      var (hits, bytes, allBytes) = (0, 0, 0)
      for key in trace.requests {
        let size = trace.sizes?[key] ?? 1
        allBytes += size
        guard policy.access(key) else { continue }
        hits += 1
        bytes += size
      }
      return (Double(hits) / Double(trace.requests.count), Double(bytes) / Double(allBytes))
    }
    return hits(policy.cache(of: capacity, seed: seed, for: trace))
  }

  /// Returns one CSV row for each capacity and policy. These rows have the fields
  /// `trace,capacity,policy,hit_ratio` and, if `withBytes` is true, `byte_hit_ratio`.
  func csv(withBytes: Bool) -> [String] {
    capacities.indices.flatMap { column in
      policies.indices.map { row in
        "\(trace.csvField),\(capacities[column]),\(policies[row].rawValue),"
          + ratios[row][column].inFourDecimals
          + (withBytes ? ",\(byteRatios[row][column].inFourDecimals)" : "")
      }
    }
  }

  /// The index of the knee, or `nil` if there is no knee. Beyond the knee, the hit ratio hardly
  /// grows.
  ///
  /// It belongs to the curve of the memory level, or if the replay doesn't include this level, to
  /// that of the first policy.
  var knee: Int? {
    Self.knee(of: ratios[policies.firstIndex(of: .strata) ?? 0], at: capacities)
  }

  /// Returns the first index after which the hit ratio grows by less than 0.02 in total.
  ///
  /// Returns `nil` if the knee is at the first capacity, because smaller capacities weren't
  /// measured. Also returns `nil` if the last capacity is less than twice the capacity at the knee,
  /// because the curve then hardly extends beyond the knee.
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
