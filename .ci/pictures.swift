// Draws the documentation's pictures that aren't plans, and saves them in the catalogs. The colors and fonts
// are those of the drawing of a plan, `layers.svg`, which `.ci/drawings.swift` makes.
//
// Usage: `swift .ci/pictures.swift`, in the project's directory

import Foundation

let resources = "Sources/Strata/Strata.docc/Resources"
let plan = try String(contentsOfFile: "\(resources)/layers.svg", encoding: .utf8)
let style = plan.components(separatedBy: "<style>\n")[1].components(separatedBy: "</style>")[0]

/// A drawing that is 640 units wide.
struct Picture {
  let title: String
  private var elements: [String] = []

  init(_ title: String) { self.title = title }

  mutating func text(
    _ text: String, _ x: Double, _ y: Double, _ style: String = "", at anchor: String = "start"
  ) {
    let text = text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
    elements.append(
      "<text x=\"\(x)\" y=\"\(y)\" class=\"\(style)\" text-anchor=\"\(anchor)\">\(text)</text>")
  }

  mutating func box(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String = "box",
    faint: Bool = false
  ) {
    elements.append(
      "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"4\" class=\"\(style)\""
        + (faint ? " fill-opacity=\"0.16\"/>" : "/>"))
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String = "") {
    elements.append(
      "<line x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\" class=\"arrow \(style)\"/>")
  }

  /// Draws a horizontal or vertical arrow.
  mutating func arrow(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String = "")
  {
    let (dx, dy) = (x2 == x1 ? 0.0 : x2 > x1 ? 6.0 : -6, y2 == y1 ? 0.0 : y2 > y1 ? 6.0 : -6)
    let (backX, backY, sideX, sideY) = (x2 - dx, y2 - dy, dy == 0 ? 0.0 : 4, dx == 0 ? 0.0 : 4)
    line(x1, y1, backX, backY, style)
    elements.append(
      "<polygon points=\"\(x2),\(y2) \(backX - sideX),\(backY - sideY) \(backX + sideX),\(backY + sideY)\" "
        + "class=\"head\"/>")
  }

  func save(_ path: String, height: Double) throws {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 \(height)" width="640" height="\(height)" role="img">
      <title>\(title)</title>
      <style>
      \(style)</style>
      <rect width="100%" height="100%" class="ground"/>
      \(elements.joined(separator: "\n"))
      </svg>

      """.replacingOccurrences(of: #"(?<=\d)\.0(?=[", ])"#, with: "", options: .regularExpression)
    try Data(svg.utf8).write(to: URL(fileURLWithPath: path))
  }
}

/// A message from one lane of a sequence to another.
struct Message {
  let from: Int
  let to: Int
  let text: String
  var note = ""
  var isFill = false
}

extension Picture {
  /// Draws the lanes of a sequence, with their names above them.
  mutating func lanes(_ lanes: [(name: String, x: Double)], to bottom: Double) {
    for lane in lanes {
      box(lane.x - 50, 12, 100, 24)
      text(lane.name, lane.x, 28, at: "middle")
      line(lane.x, 36, lane.x, bottom, "fill")
    }
  }

  /// Draws messages below each other. Returns the position below the last one.
  mutating func messages(
    _ messages: [Message], _ lanes: [(name: String, x: Double)], from top: Double
  ) -> Double {
    var y = top
    for message in messages {
      let (start, end) = (lanes[message.from].x, lanes[message.to].x)
      if message.from == message.to {
        text(message.text, start + 10, y - 2, "word")
      } else {
        arrow(
          start + (end > start ? 3 : -3), y, end - (end > start ? 3 : -3), y,
          message.isFill ? "fill" : "")
        let isRight = end > start
        text(message.text, start + (isRight ? 10 : -10), y - 5, at: isRight ? "start" : "end")
        text(message.note, end + (isRight ? 8 : -8), y + 4, "word", at: isRight ? "start" : "end")
      }
      y += 27
    }
    return y
  }
}

func walk() throws {
  var picture = Picture(
    "One get, one set, and one clear of a pipeline with memory, disk, and network")
  let lanes = [(name: "caller", x: 62.0), ("memory", 226), ("disk", 390), ("network", 554)]
  picture.lanes(lanes, to: 392)
  picture.text("the first get", 76, 58, "title")
  var y = picture.messages(
    [
      Message(from: 0, to: 1, text: "get", note: "miss"),
      Message(from: 0, to: 2, text: "get", note: "miss"),
      Message(from: 0, to: 3, text: "get", note: "value"),
      Message(from: 3, to: 0, text: "value", note: ""),
      Message(from: 0, to: 2, text: "set", note: "back-fill", isFill: true),
      Message(from: 0, to: 1, text: "set", note: "back-fill", isFill: true),
    ], lanes, from: 82)
  picture.text("a set", 76, y + 2, "title")
  y = picture.messages(
    [
      Message(from: 0, to: 2, text: "set", note: "done"),
      Message(from: 0, to: 1, text: "set", note: "done"),
    ], lanes, from: y + 26)
  picture.text("a clear", 76, y + 2, "title")
  y = picture.messages(
    [
      Message(from: 0, to: 2, text: "clear", note: "done"),
      Message(from: 0, to: 1, text: "clear", note: "done"),
    ], lanes, from: y + 26)
  try picture.save("\(resources)/walk.svg", height: 402)
}

func clear() throws {
  var picture = Picture("A clear while a set of the key a hangs in the disk")
  for (index, name) in ["set of a", "clear", "gets of a", "other gets"].enumerated() {
    picture.text(name, 96, 48 + Double(index) * 46, at: "end")
    picture.line(106, 58 + Double(index) * 46, 628, 58 + Double(index) * 46, "fill")
  }
  for (x, label, end) in [
    (140.0, "set called", 30.0), (250, "clear called", 76), (480, "disk goes on", 30),
  ] {
    picture.line(x, 12, x, end, "fill")
    picture.text(label, x + 4, 20, "word")
  }
  func bar(
    _ row: Double, _ x: Double, _ width: Double, _ style: String, _ label: String,
    _ picture: inout Picture
  ) {
    picture.box(x, 30 + row * 46, width, 26, style, faint: true)
    picture.text(label, x + width / 2, 47 + row * 46, at: "middle")
  }
  picture.box(140, 30, 108, 26, "failed", faint: true)
  bar(0, 250, 230, "failed", "hangs in the disk", &picture)
  bar(0, 482, 100, "waited", "removes a", &picture)
  bar(1, 250, 88, "hit", "both levels", &picture)
  bar(2, 108, 140, "filled", "read the levels", &picture)
  bar(2, 250, 332, "missed", "skip memory and disk, and call the network", &picture)
  bar(2, 584, 44, "filled", "read", &picture)
  bar(3, 108, 140, "filled", "read the levels", &picture)
  bar(3, 250, 378, "filled", "read the levels, which are empty", &picture)
  picture.arrow(106, 222, 628, 222)
  picture.text("time", 628, 238, "word", at: "end")
  try picture.save("\(resources)/clear.svg", height: 246)
}

func life() throws {
  var picture = Picture("The four stages of a value: fresh, stale, stale on error, and expired")
  let stages = [
    (16.0, 150.0, "hit", "fresh", ["a get returns it"]),
    (166, 150, "filled", "stale", ["a get returns it,", "and a refresh begins"]),
    (
      316, 170, "waited", "stale on error",
      ["a get waits for a refresh;", "if it fails, returns it"]
    ),
    (486, 138, "missed", "expired", ["a get waits for a", "refresh, and may fail"]),
  ]
  for (x, width, style, name, lines) in stages {
    picture.box(x, 34, width, 66, style, faint: true)
    picture.text(name, x + width / 2, 54, "title", at: "middle")
    for (index, line) in lines.enumerated() {
      picture.text(line, x + width / 2, 73 + Double(index) * 16, "word", at: "middle")
    }
  }
  picture.arrow(16, 112, 630, 112)
  for (x, label) in [(16.0, "stored"), (166, "60 s"), (316, "11 min"), (486, "24 h 1 min")] {
    picture.line(x, 107, x, 117)
    picture.text(label, x + 4, 131, "quiet")
  }
  for (y, end, name) in [
    (156.0, 316.0, "staleWhileRevalidate: 10 min"), (180, 486, "staleIfError: 24 h"),
  ] {
    picture.line(166, y, end, y)
    picture.line(166, y - 4, 166, y + 4)
    picture.line(end, y - 4, end, y + 4)
    picture.text(name, end + 8, y + 4)
  }
  picture.text("not to scale", 630, 24, "word", at: "end")
  picture.text("for: 60 s", 24, 24)
  picture.line(16, 28, 166, 28)
  try picture.save("\(resources)/life.svg", height: 198)
}

func lease() throws {
  var picture = Picture(
    "A write of machine B ends the lease of machine A, so A can't store its older value")
  let lanes = [(name: "machine A", x: 90.0), ("Redis", 320), ("machine B", 550)]
  picture.lanes(lanes, to: 330)
  _ = picture.messages(
    [
      Message(from: 0, to: 1, text: "get price", note: "no value: stores a lease for A"),
      Message(from: 1, to: 0, text: "miss, with a lease"),
      Message(from: 0, to: 0, text: "loads 5 from the origin …"),
      Message(from: 2, to: 1, text: "set price 6", note: ""),
      Message(from: 1, to: 1, text: "6 replaces the lease"),
      Message(from: 1, to: 2, text: "done"),
      Message(from: 0, to: 0, text: "… the origin answers 5"),
      Message(from: 0, to: 1, text: "fill price 5, with the lease"),
      Message(from: 1, to: 0, text: "overtaken"),
      Message(from: 1, to: 1, text: "still 6: the next get finds it"),
    ], lanes, from: 66)
  try picture.save("Sources/StrataRedis/StrataRedis.docc/Resources/lease.svg", height: 342)
}

func segments() throws {
  var picture = Picture(
    "A log of three segments, the records of one segment, and the parts of one record")
  func row(
    _ y: Double, _ height: Double,
    _ cells: [(width: Double, style: String, name: String, below: String)]
  ) {
    var x = 16.0
    for cell in cells {
      picture.box(x, y, cell.width - 4, height, cell.style, faint: cell.style != "box")
      picture.text(cell.name, x + cell.width / 2 - 2, y + 18, at: "middle")
      picture.text(cell.below, x + cell.width / 2 - 2, y + 35, "quiet", at: "middle")
      x += cell.width
    }
  }
  picture.text("the directory: segments, the oldest first", 16, 22, "word")
  row(
    30, 42,
    [
      (204, "box", "…4e1.strata2", "sealed"), (204, "box", "…4e2.strata2", "sealed"),
      (204, "filled", "…4e3.strata2", "newest: all append here"),
    ])
  picture.line(424, 74, 16, 104, "fill")
  picture.line(624, 74, 624, 104, "fill")
  picture.text("a segment: records", 616, 98, "word", at: "end")
  row(
    106, 42,
    [
      (118, "waited", "start", "length before"), (98, "hit", "set a", "value 1"),
      (98, "hit", "set b", "value 2"),
      (98, "failed", "remove a", ""), (98, "hit", "set a", "value 3"),
      (102, "box", "…", "later: seal"),
    ])
  picture.line(428, 150, 16, 180, "fill")
  picture.line(522, 150, 624, 180, "fill")
  picture.text("a record", 475, 174, "word", at: "middle")
  row(
    182, 42,
    [
      (276, "other", "header", "64 bytes"), (90, "memory", "key", ""), (136, "disk", "value", ""),
      (110, "waited", "end mark", "8 bytes"),
    ])
  picture.text(
    "kind · lengths · hash · created · deadline · mark · two checksums", 16, 244, "quiet")
  try picture.save("\(resources)/segments.svg", height: 256)
}

try walk()
try clear()
try life()
try lease()
try segments()
