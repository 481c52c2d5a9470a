import Foundation

/// The machine-readable report of all measurements.
struct BenchReport: Encodable {
  private struct Line: Encodable {
    let group: String
    let contest: String
    let subject: String
    let unit: String
    let figure: Spread
    let ratio: Spread
    let allocations: Double?
    let bytes: Double?
    let targets: [Demand]
    let fault: String?
  }

  private struct Demand: Encodable {
    let target: String
    let must: Double
    let aim: Double
    let figure: Double?
    let verdict: Verdict
  }

  private let rounds: Int
  private let system: String
  private let cores: Int
  private let warnings: [String]
  private let rows: [Line]

  init(rows: [Row], rounds: Int, warnings: [String]) {
    self.rounds = rounds
    self.warnings = warnings
    system = ProcessInfo.processInfo.operatingSystemVersionString
    cores = ProcessInfo.processInfo.activeProcessorCount
    self.rows = rows.map { row in
      Line(
        group: row.group.rawValue, contest: row.benchmark, subject: row.subject,
        unit: row.unit.rawValue,
        figure: row.figure, ratio: row.ratio, allocations: row.allocations, bytes: row.bytes,
        targets: row.checks.map {
          Demand(
            target: $0.target.sentence($0.figure), must: $0.target.must, aim: $0.target.aim,
            figure: $0.figure,
            verdict: $0.verdict)
        },
        fault: row.fault)
    }
  }

  /// The report as JSON, with sorted keys for line-by-line comparison.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")  // NaN means "not counted".
      return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
    }
  }
}
