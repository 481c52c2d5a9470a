extension PlanRenderer {
  /// Draws the arrows at the upper edge of a diagram, with keys and values as their labels.
  mutating func edge(
    into diagram: PlanDiagram, at edge: Edge, x: Double, y: Double, width: Double
  ) -> Double {
    let words = Words(diagram, edge)
    if words.isEmpty { return y }
    let room = Int((width - 56) / Drawing.character)
    let isShared = words.isShared(room)
    let counts = [words.keys.count, words.values.count]
    let rows = isShared ? max(counts[0], counts[1]) : counts[0] + counts[1]
    let bottom = y + 12 + 16 * Double(rows)
    drawing.arrow(x: x + 14, from: y + 2, to: bottom - 2, "")
    drawing.arrow(x: x + width - 14, from: bottom - 2, to: y + 2, words.fills ? "fill" : "")
    for (row, text) in words.keys.enumerated() {
      let line = y + 18 + 16 * Double(row)
      drawing.text(text.cut(to: room), x: x + 26, y: line, row == 0 && words.isMiss ? "word" : "")
    }
    let first = isShared ? rows - words.values.count : words.keys.count
    for (row, text) in words.values.enumerated() {
      let line = y + 18 + 16 * Double(first + row)
      let isWord = row == 0 && words.fills
      drawing.text(
        text.cut(to: room), x: x + width - 26, y: line, isWord ? "word end" : "end")
    }
    return bottom
  }
}

/// The labels at the upper edge of a diagram: keys on the left, and values on the right.
private struct Words {
  var keys: [String] = []
  var values: [String] = []
  var isMiss = false
  var fills = false

  init(_ diagram: PlanDiagram, _ edge: PlanRenderer.Edge) {
    keys = diagram.keys.map(\.text)
    values = diagram.values.map(\.text)
    switch edge {
    case .first: return
    case .entry: break
    case .miss(let fills): (isMiss, self.fills) = (true, fills)
    }
    if keys.isEmpty, let types = diagram.types { keys = [types.key] }
    if values.isEmpty, let types = diagram.types { values = [types.value] }
    if isMiss { keys.insert("on a miss", at: 0) }
    if fills { values.insert("fills what is above", at: 0) }
  }

  var isEmpty: Bool { keys.isEmpty && values.isEmpty }

  /// Whether the keys and the values fit next to each other in a line of `room` characters.
  func isShared(_ room: Int) -> Bool {
    let longest = (keys.map(\.count).max() ?? 0) + (values.map(\.count).max() ?? 0)
    return longest + 3 <= room
  }
}
