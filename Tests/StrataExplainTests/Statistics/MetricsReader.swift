/// A strict reader of version 0.0.4 of the Prometheus text format.
///
/// The reader accepts only text in which each metric is one group of a HELP line, a TYPE line, and
/// samples.
struct MetricsReader {
  struct Sample: Equatable {
    let name: String
    let labels: [String: String]
    let value: Double
  }

  struct Metric: Equatable {
    let name: String
    let help: String
    let type: String
    var samples: [Sample] = []
  }

  struct Fault: Error { let line: String }

  private(set) var metrics: [Metric] = []

  init(_ text: String) throws {
    guard text.isEmpty || text.unicodeScalars.last == "\n" else { throw Fault(line: "the end") }
    var help: (name: String, text: String)?
    for line in text.unicodeScalars.split(separator: "\n").map(String.init) {
      if line.hasPrefix("# HELP ") {
        let parts = line.dropFirst(7).split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, help == nil, Self.isName(parts[0]) else { throw Fault(line: line) }
        help = (parts[0], parts[1])
      } else if line.hasPrefix("# TYPE ") {
        let parts = line.dropFirst(7).split(separator: " ").map(String.init)
        guard parts.count == 2, let found = help, parts[0] == found.name,
          ["counter", "gauge", "histogram"].contains(parts[1]),
          !metrics.contains(where: { $0.name == parts[0] })
        else { throw Fault(line: line) }
        metrics.append(Metric(name: found.name, help: found.text, type: parts[1]))
        help = nil
      } else {
        let sample = try Self.sample(line)
        guard help == nil, let metric = metrics.last, metric.names.contains(sample.name),
          !metric.samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels })
        else { throw Fault(line: line) }
        metrics[metrics.count - 1].samples.append(sample)
      }
    }
    for metric in metrics { try metric.check() }
  }

  /// Returns the value of the sample with the given name and labels.
  func value(_ name: String, _ labels: [String: String]) -> Double? {
    metrics.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
  }

  private static func isName(_ text: String) -> Bool {
    text.wholeMatch(of: /[a-zA-Z_:][a-zA-Z0-9_:]*/) != nil
  }

  private static func sample(_ line: String) throws -> Sample {
    var rest = Array(line.unicodeScalars)[...]
    func next() throws -> Unicode.Scalar {
      guard let first = rest.popFirst() else { throw Fault(line: line) }
      return first
    }
    func word(until end: Unicode.Scalar) throws -> String {
      var text = String.UnicodeScalarView()
      while true {
        let scalar = try next()
        if scalar == end { return String(text) }
        text.append(scalar)
      }
    }
    let name = try word(until: "{")
    var labels: [String: String] = [:]
    while true {
      let label = try word(until: "=")
      guard label.wholeMatch(of: /[a-zA-Z_][a-zA-Z0-9_]*/) != nil, labels[label] == nil,
        try next() == "\""
      else { throw Fault(line: line) }
      var value = String.UnicodeScalarView()
      while true {
        let scalar = try next()
        if scalar == "\"" { break }
        guard scalar == "\\" else {
          value.append(scalar)
          continue
        }
        switch try next() {
        case "n": value.append("\n")
        case "\\": value.append("\\")
        case "\"": value.append("\"")
        default: throw Fault(line: line)
        }
      }
      labels[label] = String(value)
      let end = try next()
      if end == "}" { break }
      guard end == "," else { throw Fault(line: line) }
    }
    guard try next() == " ", isName(name),
      let value = Double(String(String.UnicodeScalarView(rest)))
    else { throw Fault(line: line) }
    return Sample(name: name, labels: labels, value: value)
  }
}

extension MetricsReader.Metric {
  /// The names that samples of this metric can have.
  fileprivate var names: [String] {
    type == "histogram" ? ["_bucket", "_sum", "_count"].map { name + $0 } : [name]
  }

  /// Throws an error if the samples break a rule for counters or histograms.
  fileprivate func check() throws {
    guard !samples.isEmpty, (type == "counter") == name.hasSuffix("_total") else {
      throw MetricsReader.Fault(line: name)
    }
    if type == "counter" {
      guard samples.allSatisfy({ $0.value >= 0 && $0.value.rounded() == $0.value }) else {
        throw MetricsReader.Fault(line: name)
      }
    }
    guard type == "histogram" else { return }
    let stages = Set(samples.map { $0.labels["stage"] })
    for stage in stages {
      let own = samples.filter { $0.labels["stage"] == stage }
      let buckets = own.filter { $0.name == name + "_bucket" }
      let bounds = buckets.compactMap { $0.labels["le"] == "+Inf" ? .infinity : $0.bound }
      let counts = buckets.map(\.value)
      let total = own.filter { $0.name == name + "_count" }.map(\.value)
      guard bounds.count == buckets.count, bounds.last == .infinity, bounds == bounds.sorted(),
        Set(bounds).count == bounds.count, counts == counts.sorted(), total == [counts.last ?? -1],
        own.filter({ $0.name == name + "_sum" }).count == 1
      else { throw MetricsReader.Fault(line: name) }
    }
  }
}

extension MetricsReader.Sample {
  fileprivate var bound: Double? { labels["le"].flatMap { Double($0) } }
}
