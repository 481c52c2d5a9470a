/// JSON as lines of text, formatted for line-by-line comparison.
struct JSONText: ExpressibleByStringInterpolation {
  /// A member of a JSON object: its name and its value.
  typealias Member = (name: String, value: JSONText)

  /// A line, and the depth of its indentation. The text of a line doesn't contain the indentation,
  /// because a deep plan would copy these spaces at each depth.
  private struct Line {
    var depth = 0
    var text: String

    var indented: Line { Line(depth: depth + 1, text: text) }
  }

  private var lines: [Line]

  /// The lines as one text.
  var text: String {
    lines.map { String(repeating: "  ", count: $0.depth) + $0.text }.joined(separator: "\n")
  }

  init(stringLiteral text: String) { lines = [Line(text: text)] }

  /// Creates an object without separate lines for its braces: `{ "a": 1, "b": 2 }`. Members with
  /// several lines keep them.
  init(row members: [Member]) {
    self = Self.joined(members.map(Self.named), by: ", ").between("{ ", " }")
  }

  /// Creates an object whose consecutive short members share one line, and whose long members each
  /// begin a new line. Members with the name `"of"` or `"plan"` contain a nested plan, so they
  /// always begin a new line.
  init(rows members: [Member]) {
    var rows: [JSONText] = []
    var isOpen = false
    for member in members {
      let isShort = member.value.lines.count == 1 && !["of", "plan"].contains(member.name)
      if isShort, isOpen, let last = rows.popLast() {
        rows.append(Self.joined([last, Self.named(member)], by: ", "))
      } else {
        rows.append(Self.named(member))
      }
      isOpen = isShort
    }
    lines = [Line(text: "{")] + Self.separated(rows).map(\.indented) + [Line(text: "}")]
  }

  /// Creates an object that ends with an array. Members before the array are on the first line, and
  /// each item of the array begins a new line.
  init(_ members: [Member], _ last: (name: String, items: [JSONText])) {
    let start = (members.map(Self.named) + ["\(Self.quoted(last.name)): ["])
    let rows = Self.separated(last.items).map(\.indented)
    lines =
      [Line(text: "{ " + Self.joined(start, by: ", ").text)] + rows + [Line(text: "] }")]
  }

  /// Creates an array whose brackets are on the lines of its first and last items.
  init(_ items: [JSONText]) { self = Self.joined(items, by: ", ").between("[", "]") }

  private init(lines: [Line]) { self.lines = lines }

  private static func named(_ member: Member) -> JSONText {
    member.value.between(quoted(member.name) + ": ", "")
  }

  private static func separated(_ rows: [JSONText]) -> [Line] {
    rows.enumerated().flatMap { index, row in
      index == rows.count - 1 ? row.lines : row.between("", ",").lines
    }
  }

  private static func joined(_ parts: [JSONText], by separator: String) -> JSONText {
    var lines = [Line(text: "")]
    for (index, part) in parts.enumerated() {
      lines[lines.count - 1].text +=
        (index == 0 ? "" : separator) + (part.lines.first?.text ?? "")
      lines += part.lines.dropFirst()
    }
    return JSONText(lines: lines)
  }

  private func between(_ start: String, _ end: String) -> JSONText {
    var lines = lines
    lines[0].text = start + lines[0].text
    lines[lines.count - 1].text += end
    return JSONText(lines: lines)
  }
}

extension JSONText {
  static func string(_ text: String) -> JSONText { JSONText(lines: [Line(text: quoted(text))]) }

  /// Returns a number as JSON. Infinity becomes the greatest finite number, and NaN becomes zero.
  static func number(_ number: Double) -> JSONText {
    if number.isNaN { return "0.0" }
    return "\(min(max(number, -.greatestFiniteMagnitude), .greatestFiniteMagnitude))"
  }

  /// Returns a duration as a JSON object with seconds and attoseconds, which are omitted if they're
  /// zero.
  static func duration(_ duration: Duration) -> JSONText {
    let bounded = min(max(duration, .seconds(Int64.min)), .seconds(Int64.max))
    let (seconds, attoseconds) = bounded.components
    let rest: [Member] = attoseconds == 0 ? [] : [("attoseconds", "\(attoseconds)")]
    return JSONText(row: [("seconds", "\(seconds)")] + rest)
  }

  /// Returns text as a JSON string.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 32:
        quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
