import Foundation

/// One row of the output of `.ci/growth`.
struct HitCost {
  let subject, type: String
  let entries, instructions: Double

  init?(_ row: String) {
    let cells = row.split(separator: ",").map(String.init)
    guard cells.count >= 4, let entries = Double(cells[2]), let instructions = Double(cells[3])
    else { return nil }
    (subject, type, self.entries, self.instructions) = (cells[0], cells[1], entries, instructions)
  }
}

private let subjects: [(name: String, style: String, title: String)] = [
  ("level", "memory", ".memory"), ("dictionary", "missed", "dictionary under one lock"),
]

/// Draws a chart for each type of key, side by side: the instructions of a hit by the number of
/// entries.
func costs(_ rows: [HitCost]) throws {
  var picture = Picture("Instructions of a hit by the number of entries, for two types of keys")
  for (index, subject) in subjects.enumerated() {
    let x = 46 + Double(index) * 120
    picture.curve([(x, 18), (x + 24, 18)], subject.style)
    picture.text(subject.title, x + 30, 22)
  }
  for (index, type) in ["Int", "String"].enumerated() {
    chart(type, rows.filter { $0.type == type }, 46 + Double(index) * 316, in: &picture)
  }
  try picture.save("\(resources)/hit-growth.svg", height: 256)
}

/// Draws the chart of one type of key. Each step to the right multiplies the number of entries.
private func chart(_ type: String, _ rows: [HitCost], _ left: Double, in picture: inout Picture) {
  let (top, width, height, most) = (66.0, 264.0, 160.0, 1_000.0)
  let counts = rows.map(\.entries)
  let (fewest, largest) = (log(counts.min() ?? 1), log(counts.max() ?? 2))
  func x(_ entries: Double) -> Double {
    left + width * (log(entries) - fewest) / (largest - fewest)
  }
  func y(_ instructions: Double) -> Double { top + height * (1 - instructions / most) }
  picture.text("\(type) keys", left, top - 14, "title")
  for instructions in [0, most / 2, most] {
    picture.line(left, y(instructions), left + width, y(instructions), "fill")
    picture.text("\(Int(instructions))", left - 6, y(instructions) + 4, "quiet", at: "end")
  }
  for (subject, style, _) in subjects {
    let points = rows.filter { $0.subject == subject }.sorted { $0.entries < $1.entries }
    picture.curve(points.map { (x($0.entries), y($0.instructions)) }, style)
    guard let last = points.last else { continue }
    picture.text(
      "\(Int(last.instructions.rounded()))", left + width, y(last.instructions) + 15, at: "end")
  }
  let texts = [counts.min() ?? 0, counts.max() ?? 0].map { count in
    count.formatted(.number.locale(Locale(identifier: "en_US")))
  }
  picture.text(texts[0], left, top + height + 16, "quiet")
  picture.text("\(texts[1]) entries", left + width, top + height + 16, "quiet", at: "end")
}
