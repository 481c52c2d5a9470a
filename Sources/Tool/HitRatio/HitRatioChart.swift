import Foundation

/// A chart of hit ratios by capacity. The panel of each trace marks the knee: the capacity beyond
/// which the hit ratio hardly grows.
struct HitRatioChart {
  private let replays: [Replay]
  private let left = 64.0
  private let width = 560.0
  private let height = 260.0

  init(_ replays: [Replay]) { self.replays = replays }

  private var unit: String { replays.allSatisfy { $0.bytes == nil } ? "entries" : "bytes" }

  /// The whole drawing.
  var svg: String {
    var drawing = Canvas(
      width: 780,
      title: "Hit ratio against capacity: \(replays.map(\.trace).joined(separator: ", "))")
    drawing.text("strata-tool hitratio", x: 24, y: 34, "title")
    drawing.text(
      "Hits, in % of the requests, by the capacity in \(unit) (logarithmic).", x: 24, y: 54,
      "quiet")
    var top = 92.0
    for replay in replays {
      draw(replay, from: top, in: &drawing)
      top += height + 100
    }
    return drawing.svg(height: top - 20)
  }

  private func draw(_ replay: Replay, from top: Double, in drawing: inout Canvas) {
    let all = replay.ratios.joined()
    let highest = max(0.1, ((all.max() ?? 1) * 10).rounded(.up) / 10)
    let y = { (ratio: Double) in top + 16 + height * (1 - ratio / highest) }
    let x = horizontal(replay.capacities)
    drawing.text(
      "\(replay.trace): \(replay.requests.grouped) requests of \(replay.keys.grouped) keys",
      x: 24, y: top, "heading")
    drawGrid(replay, highest, x, y, in: &drawing)
    for (row, policy) in replay.policies.enumerated().reversed() {
      let points = zip(replay.capacities, replay.ratios[row]).map { (x($0), y($1)) }
      drawing.curve(points, policy.style)
      for (x, y) in points {
        drawing.dot(x: x, y: y, radius: policy == .strata ? 3.5 : 2, policy.style)
      }
    }
    drawLegend(replay, from: top + 24, in: &drawing)
    drawKnee(replay, x, y, in: &drawing)
  }

  /// Returns a function that converts a capacity to a horizontal position. Its scale is
  /// logarithmic, because small capacities would overlap on a linear one.
  private func horizontal(_ capacities: [Int]) -> (Int) -> Double {
    let (first, last) = (Double(capacities.first ?? 1).log, Double(capacities.last ?? 1).log)
    return { capacity in
      guard last > first else { return left + width / 2 }
      return left + width * (Double(capacity).log - first) / (last - first)
    }
  }

  private func drawGrid(
    _ replay: Replay, _ highest: Double, _ x: (Int) -> Double, _ y: (Double) -> Double,
    in drawing: inout Canvas
  ) {
    let step = highest > 0.5 ? 0.2 : highest > 0.2 ? 0.1 : 0.05
    for ratio in stride(from: 0, through: highest + 0.001, by: step) {
      drawing.line(from: (left, y(ratio)), to: (left + width, y(ratio)), "rule")
      drawing.text("\(Int((ratio * 100).rounded()))", x: left - 8, y: y(ratio) + 4, "quiet end")
    }
    var free = -Double.infinity
    for capacity in replay.capacities where x(capacity) - free > 58 {
      drawing.text(capacity.grouped, x: x(capacity), y: y(0) + 18, "quiet middle")
      free = x(capacity)
    }
  }

  private func drawLegend(_ replay: Replay, from top: Double, in drawing: inout Canvas) {
    for (row, policy) in replay.policies.enumerated() {
      let y = top + Double(row) * 20
      drawing.curve([(left + width + 20, y), (left + width + 48, y)], policy.style)
      drawing.text(policy.title, x: left + width + 56, y: y + 4, "label")
    }
  }

  private func drawKnee(
    _ replay: Replay, _ x: (Int) -> Double, _ y: (Double) -> Double, in drawing: inout Canvas
  ) {
    guard let knee = replay.knee else { return }
    let curve = replay.ratios[replay.policies.firstIndex(of: .strata) ?? 0]
    let (x, y, bottom) = (x(replay.capacities[knee]), y(curve[knee]), y(0))
    drawing.line(from: (x, y), to: (x, bottom), "spread")
    drawing.dot(x: x, y: y, radius: 6, "knee")
    drawing.text(
      "knee: \(replay.capacities[knee].grouped) entries, \(curve[knee].inPercent) %",
      x: x + 8, y: bottom - 8, "heading")
  }
}

extension Policy {
  fileprivate var style: String {
    switch self {
    case .strata: "strata"
    case .strataBytes: "p4"
    case .lru: "p1"
    case .fifo: "p2"
    case .clock: "p3"
    case .sieve: "p4"
    case .s3fifo: "p5"
    case .tinyLFU: "p6"
    case .reference: "p7"
    case .gdsf: "p2"
    case .adaptSize: "p3"
    case .optimum: "best"
    }
  }

  fileprivate var title: String { self == .optimum ? "optimum" : rawValue }
}

extension Double {
  fileprivate var log: Double { Foundation.log(self) }
}
