/// A table with columns of a fixed width. So each row can be printed before the next row is known.
///
/// Long cells are truncated and end with an ellipsis. No line ends with spaces.
struct TextTable: Sendable {
  struct Column: Sendable {
    let title: String
    let width: Int
    var isNumber = false
  }

  struct Cell: Sendable, ExpressibleByStringLiteral {
    let text: String
    var color: Color?

    init(_ text: String, _ color: Color? = nil) { (self.text, self.color) = (text, color) }
    init(stringLiteral text: String) { self.init(text) }
  }

  let columns: [Column]
  let isColored: Bool

  /// The number of characters in a full line. Two spaces separate the columns.
  var width: Int { columns.map(\.width).reduce(0, +) + 2 * max(0, columns.count - 1) }

  /// The header line with the titles of the columns.
  var header: String { row(columns.map { Cell($0.title, .bold) }) }

  /// Returns a line of cells. Missing cells are empty.
  func row(_ cells: [Cell]) -> String {
    let padded = zip(columns, cells).map { column, cell in
      let text = cell.text.cut(to: column.width)
      let space = String(repeating: " ", count: column.width - text.count)
      let shown = text.colored(cell.color, if: isColored)
      return column.isNumber ? space + shown : shown + space
    }
    return padded.joined(separator: "  ").withoutTrailingSpaces
  }

  /// Returns text as lines to print below a row. These lines are wrapped between words, and
  /// indented to the second column.
  func note(_ text: String, _ color: Color? = nil) -> String {
    let indent = String(repeating: " ", count: (columns.first?.width ?? 0) + 2)
    let lines = text.broken(to: max(20, width - indent.count))
    return lines.map { indent + $0.colored(color, if: isColored) }.joined(separator: "\n")
  }
}

extension String {
  /// Returns this text, padded with spaces at the end to at least `width` characters.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  func cut(to width: Int) -> String {
    count <= width ? self : prefix(Swift.max(0, width - 1)) + "…"
  }

  var withoutTrailingSpaces: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }

  /// Returns this text in lines of at most `width` characters. Longer words are split.
  func broken(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
        continue
      }
      var rest = word
      while !rest.isEmpty {
        lines.append(String(rest.prefix(width)))
        rest = rest.dropFirst(width)
      }
    }
    return lines
  }
}
