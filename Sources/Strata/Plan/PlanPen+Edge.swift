extension PlanPen {
  /// Draws what goes into a figure and comes out of it, above it: the types, and how they change.
  mutating func edge(
    into figure: PlanFigure, at edge: Edge, x: Double, y: Double, width: Double
  ) -> Double {
    let words = Words(figure, edge)
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

/// What an edge says, a line each: of the keys on the left, of the values on the right.
private struct Words {
  var keys: [String] = []
  var values: [String] = []
  var isMiss = false
  var fills = false

  init(_ figure: PlanFigure, _ edge: PlanPen.Edge) {
    keys = figure.keys.map(\.text)
    values = figure.values.map(\.text)
    switch edge {
    case .first: return
    case .entry: break
    case .miss(let fills): (isMiss, self.fills) = (true, fills)
    }
    if keys.isEmpty, let types = figure.types { keys = [types.key] }
    if values.isEmpty, let types = figure.types { values = [types.value] }
    if isMiss { keys.insert("on a miss", at: 0) }
    if fills { values.insert("fills what is above", at: 0) }
  }

  var isEmpty: Bool { keys.isEmpty && values.isEmpty }

  /// Whether each line has room for both.
  func isShared(_ room: Int) -> Bool {
    let longest = (keys.map(\.count).max() ?? 0) + (values.map(\.count).max() ?? 0)
    return longest + 3 <= room
  }
}
