import Foundation

/// One row of the output of `strata-tool hitratio --csv`.
struct HitRatio {
  let trace: String
  let capacity: Double
  let policy: String
  let ratio: Double

  init?(_ row: String) {
    let cells = row.split(separator: ",").map(String.init)
    guard cells.count >= 4, let capacity = Double(cells[1]), let ratio = Double(cells[3]) else {
      return nil
    }
    (trace, self.capacity, policy, self.ratio) = (cells[0], capacity, cells[2], ratio)
  }
}

private let policies: [(name: String, style: String, title: String)] = [
  (name: "OPT", style: "missed", title: "optimum"), ("LRU", "network", "LRU"),
  ("S3-FIFO", "waited", "S3-FIFO"), ("TinyLFU", "disk", "TinyLFU"),
  ("strata", "memory", ".memory"),
]

/// Draws a small chart for each trace, two in a row.
func curves(_ rows: [HitRatio]) throws {
  var traces: [String] = []
  for row in rows where !traces.contains(row.trace) { traces.append(row.trace) }
  var picture = Picture(
    "Hit ratios of \(traces.count) kinds of traffic by capacity, for five policies")
  for (index, policy) in policies.enumerated() {
    let x = 40 + Double(index) * 120
    picture.curve([(x, 18), (x + 24, 18)], policy.style)
    picture.text(policy.title, x + 30, 22)
  }
  for (index, trace) in traces.enumerated() {
    let (left, top) = (46 + Double(index % 2) * 316, 62 + Double(index / 2) * 146)
    chart(trace, rows.filter { $0.trace == trace }, left, top, in: &picture)
  }
  try picture.save(
    "\(resources)/hit-ratios.svg", height: 40 + Double((traces.count + 1) / 2) * 146)
}

/// Draws the chart of one trace. Each step to the right multiplies the capacity by the same factor.
private func chart(
  _ trace: String, _ rows: [HitRatio], _ left: Double, _ top: Double, in picture: inout Picture
) {
  let (width, height) = (264.0, 90.0)
  let capacities = rows.map(\.capacity)
  let (least, most) = (log(capacities.min() ?? 1), log(capacities.max() ?? 2))
  picture.text(trace, left, top - 8, "title")
  for percent in [0, 50, 100] {
    let y = top + height * (1 - Double(percent) / 100)
    picture.line(left, y, left + width, y, "fill")
    picture.text("\(percent) %", left - 6, y + 4, "quiet", at: "end")
  }
  for policy in policies {
    let points = rows.filter { $0.policy == policy.name }.sorted { $0.capacity < $1.capacity }
    let places = points.map { point -> (x: Double, y: Double) in
      let part = (log(point.capacity) - least) / (most - least)
      return (left + width * part, top + height * (1 - point.ratio))
    }
    picture.curve(places, policy.style)
  }
  picture.text("\(Int(capacities.min() ?? 0))", left, top + height + 16, "quiet")
  picture.text(
    "\(Int(capacities.max() ?? 0)) entries", left + width, top + height + 16, "quiet", at: "end")
}
