/// Writes a report as text in version 0.0.4 of the Prometheus text format.
struct MetricsText {
  private enum Kind: String { case counter, gauge, histogram }
  private typealias Stage = StatisticsReport.Stage

  private(set) var text = ""
  private let stages: [Stage]

  init(_ report: StatisticsReport) {
    stages = report.stages
    counter("hits", "Gets with a value.", \.hits)
    counter("stale_hits", "Gets that found a stale value.", \.staleHits)
    counter("misses", "Gets with a miss.", \.misses)
    counter("skips", "Gets that a condition refused.", \.skips)
    counter("failures", "Failed operations.", \.failures)
    counter("cancellations", "Cancelled operations.", \.cancellations)
    counter("loads", "Calls that reached the origin of the stage.", \.loads)
    counter("back_fills", "Writes of values found in a lower level.", \.backFills)
    counter("writes", "Successful sets, removes, and clears.", \.writes)
    counter("refreshes", "Refreshes that ended with an answer.", \.refreshes)
    counter("circuit_openings", "Times that the circuit opened.", \.circuitOpenings)
    counter("memory_warnings", "Memory warnings.", \.warnings)
    counter("read_bytes", "Size of the found values.", \.bytesRead)
    counter("written_bytes", "Size of the stored values.", \.bytesWritten)
    counter("evicted_bytes", "Size of the evicted values.", \.bytesEvicted)
    metric("evictions_total", .counter, "Evicted values, by cause.") { name, stage in
      stage.evictions.sorted { $0.key < $1.key }.map { cause, count in
        line(name, [("stage", stage.name), ("cause", cause)], "\(count)")
      }
    }
    gauge("operations_in_flight", "Operations that wait for an answer.") { Double($0.inFlight) }
    gauge("circuit_open", "Whether the circuit is open.") { $0.isCircuitOpen ? 1 : 0 }
    gauge(
      "hit_ratio", "Hits as a fraction of hits and misses in the last \(report.window) seconds."
    ) { $0.recentHitRatio }
    group("gauge", .gauge, "Sizes and other figures of parts of the cache.") { name in
      report.gauges.map { line(name, [("stage", $0.stage), ("gauge", $0.name)], "\($0.value)") }
    }
    group("gauge_limit", .gauge, "The limits of gauges, such as capacities.") { name in
      report.gauges.compactMap { gauge in
        gauge.limit.map { line(name, [("stage", gauge.stage), ("gauge", gauge.name)], "\($0)") }
      }
    }
    metric(
      "get_duration_seconds", .histogram, "Durations of gets. Most hits are measured by sampling."
    ) { name, stage in
      var sum = 0
      var lines: [String] = []
      let bounds = stage.latency.bounds.map { "\($0)" } + ["+Inf"]
      for (bound, count) in zip(bounds, stage.latency.counts) {
        sum += count
        lines.append(line("\(name)_bucket", [("stage", stage.name), ("le", bound)], "\(sum)"))
      }
      lines.append(line("\(name)_sum", [("stage", stage.name)], "\(stage.latency.sum)"))
      lines.append(line("\(name)_count", [("stage", stage.name)], "\(sum)"))
      return lines
    }
  }

  private mutating func counter(
    _ name: String, _ help: String, _ count: @escaping (Stage) -> Int
  ) {
    metric("\(name)_total", .counter, help) { name, stage in
      [line(name, [("stage", stage.name)], "\(count(stage))")]
    }
  }

  private mutating func gauge(
    _ name: String, _ help: String, _ value: @escaping (Stage) -> Double?
  ) {
    metric(name, .gauge, help) { name, stage in
      value(stage).map { [line(name, [("stage", stage.name)], "\($0)")] } ?? []
    }
  }

  /// Appends the lines of a metric for all stages together, because the format requires that they
  /// form one group.
  private mutating func metric(
    _ name: String, _ kind: Kind, _ help: String, _ lines: (String, Stage) -> [String]
  ) {
    group(name, kind, help) { [stages] name in stages.flatMap { lines(name, $0) } }
  }

  private mutating func group(
    _ name: String, _ kind: Kind, _ help: String, _ lines: (String) -> [String]
  ) {
    let name = "strata_cache_\(name)"
    let all = lines(name)
    guard !all.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    text += all.joined(separator: "\n") + "\n"
  }
}

/// Returns a line with one sample of a metric.
private func line(_ name: String, _ labels: [(String, String)], _ value: String) -> String {
  let labels = labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
  return "\(name){\(labels)} \(value)"
}

/// Escapes the backslashes, quotes, and line feeds in the value of a label.
///
/// This function works on bytes, because Swift treats a carriage return and the line feed after it
/// as one character.
private func escaped(_ value: String) -> String {
  var bytes: [UInt8] = []
  for byte in value.utf8 {
    switch byte {
    case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
    case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
    default: bytes.append(byte)
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}
