/// Columns of a fixed width, so that a row can be printed before the next one is known.
///
/// A cell that is too long is cut and ends in an ellipsis; no line ends in spaces.
struct Table: Sendable {
  struct Column: Sendable {
    let title: String
    let width: Int
    var isNumber = false
  }

  struct Cell: Sendable, ExpressibleByStringLiteral {
    let text: String
    var colour: Colour?

    init(_ text: String, _ colour: Colour? = nil) { (self.text, self.colour) = (text, colour) }
    init(stringLiteral text: String) { self.init(text) }
  }

  let columns: [Column]
  let isColoured: Bool

  /// The characters of a full line: the columns with two spaces between them.
  var width: Int { columns.map(\.width).reduce(0, +) + 2 * max(0, columns.count - 1) }

  /// The titles of the columns.
  var header: String { row(columns.map { Cell($0.title, .bold) }) }

  /// A line of cells; missing ones are empty.
  func row(_ cells: [Cell]) -> String {
    let padded = zip(columns, cells).map { column, cell in
      let text = cell.text.cut(to: column.width)
      let space = String(repeating: " ", count: column.width - text.count)
      let shown = text.coloured(cell.colour, if: isColoured)
      return column.isNumber ? space + shown : shown + space
    }
    return padded.joined(separator: "  ").withoutTrailingSpaces
  }

  /// Lines under a row, broken between words and indented to the second column.
  func note(_ text: String, _ colour: Colour? = nil) -> String {
    let indent = String(repeating: " ", count: (columns.first?.width ?? 0) + 2)
    let lines = text.broken(to: max(20, width - indent.count))
    return lines.map { indent + $0.coloured(colour, if: isColoured) }.joined(separator: "\n")
  }
}

extension String {
  /// This text with spaces after it, at least `width` characters long.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  func cut(to width: Int) -> String {
    count <= width ? self : prefix(Swift.max(0, width - 1)) + "…"
  }

  var withoutTrailingSpaces: String {
    String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)])
  }

  /// This text in lines of at most `width` characters; a longer word is cut in pieces.
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
