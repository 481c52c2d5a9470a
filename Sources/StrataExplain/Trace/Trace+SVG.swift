import StrataVerbs

extension Trace {
  /// The trace as an SVG drawing that is 600 units wide and has a bar for each step.
  ///
  /// Its colors follow the viewer's light or dark mode. Text that doesn't fit is truncated with an
  /// ellipsis.
  public var svg: String {
    var drawing = Drawing(title: why)
    drawing.text("one get, \(duration.formattedShort)", x: 16, y: 28, "title")
    var y = 44.0
    for step in shownSteps {
      draw(step, at: y, in: &drawing)
      y += 26
    }
    for line in notes {
      drawing.text(line, x: 16, y: y + 14, "word")
      y += 18
    }
    return drawing.svg(height: y + 14)
  }

  private func draw(_ step: Step, at y: Double, in drawing: inout Drawing) {
    let (left, width) = (320.0, 264.0)
    let indent = 12 * Double(min(step.depth, 6))
    drawing.text(
      step.called.cut(to: Int((134 - indent) / Drawing.character)), x: 16 + indent, y: y + 15, "")
    let word = step.word.count > 13 ? step.shortWord : step.word
    drawing.text(word, x: 158, y: y + 15, "quiet")
    drawing.text(step.duration.formattedShort, x: left - 8, y: y + 15, "quiet end")
    let (start, length) =
      extent > .zero ? (step.start / extent, step.duration / extent) : (0, 0)
    drawing.box(x: left, y: y + 2, width: width, height: 18, radius: 2, "track")
    drawing.box(
      x: left + width * min(max(0, start), 0.99), y: y + 2,
      width: max(2, width * min(length, 1 - start)), height: 18, radius: 2, step.style)
  }

  /// The lines of the explanation below the bars, which fit the width of the drawing.
  private var notes: [String] {
    let words = (mayIncludeOtherGets ? [why, Self.otherGets] : [why])
      .flatMap { $0.onOneLine.split(separator: " ").map(String.init) + ["\n"] }
    var lines = [""]
    for word in words {
      if word == "\n" || lines[lines.count - 1].count + word.count > 80 { lines.append("") }
      if word != "\n" { lines[lines.count - 1] += (lines.last?.isEmpty == true ? "" : " ") + word }
    }
    return lines.filter { !$0.isEmpty }.map { $0.cut(to: 90) }
  }
}

extension Trace.Step {
  /// The style of the bar.
  fileprivate var style: String {
    switch (operation, outcome) {
    case (.wait, _), (.join, _): "waited"
    case (_, .failure), (_, .cancelled): "failed"
    case (_, .miss): "missed"
    case (.get, .success): "hit"
    case (_, .success): "filled"
    }
  }
}
