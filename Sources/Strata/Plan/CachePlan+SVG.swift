extension CachePlan {
  /// The pipeline as a drawing, a file in SVG of its own: 600 units wide, and as high as it has to
  /// be.
  ///
  /// Keys go down on the left, values come up on the right, through boxes that are levels with what
  /// bounds them. A pool is a frame. A dashed arrow is a value that fills the levels above as well.
  /// The colours follow the reader's choice of light or dark. More than eight frames in each other
  /// are drawn as one box, and text that finds no room is cut.
  ///
  ///     try pages.plan.svg.write(toFile: "pages.svg", atomically: true, encoding: .utf8)
  ///
  /// - Law: two bracketings of a sum have one drawing: `plans.associativity`; see `PlanLaws`.
  public var svg: String {
    let figure = PlanFigure(self)
    var pen = PlanPen(drawing: Drawing(title: description.cut(to: 400)))
    let (x, width) = (16.0, Drawing.width - 32)
    let top = pen.edge(into: figure, at: .entry, x: x, y: 12, width: width)
    let bottom = pen.draw(figure, x: x, y: top, width: width)
    return pen.drawing.svg(height: bottom + 16)
  }
}

/// Draws figures from the top down; everything it draws says where it ends.
struct PlanPen {
  var drawing: Drawing

  /// Where an edge goes in.
  enum Edge {
    /// From the caller into the whole.
    case entry
    /// Into what is asked first in a frame.
    case first
    /// Into what is asked when those above have nothing; a value fills them, unless they store
    /// nothing.
    case miss(fills: Bool)
  }

  /// Draws what stands there, within a width; how deep figures go is bounded when they are made.
  mutating func draw(_ figure: PlanFigure, x: Double, y: Double, width: Double) -> Double {
    switch figure.content {
    case .box(let title, let bounds, let notes):
      box(title, bounds, notes, x: x, y: y, width: width)
    case .frame(let verbs, let isPool, let inner):
      frame(verbs, isPool: isPool, inner, x: x, y: y, width: width)
    case .stack(let members): stack(members, x: x, y: y, width: width)
    case .lanes(let lanes): self.lanes(lanes, x: x, y: y, width: width)
    }
  }

  private mutating func box(
    _ title: String, _ bounds: [String], _ notes: [String], x: Double, y: Double, width: Double
  ) -> Double {
    let room = Int((width - 28) / Drawing.character)
    let height = 30 + 17 * Double(notes.count)
    drawing.box(x: x, y: y, width: width, height: height, "box")
    drawing.box(x: x, y: y, width: 5, height: height, radius: 2, Ink.kind(title))
    drawing.text(title.cut(to: room), x: x + 16, y: y + 20, "title")
    let bound = bounds.joined(separator: ", ").cut(to: max(0, room - title.count - 2))
    if !bound.isEmpty { drawing.text(bound, x: x + width - 12, y: y + 20, "quiet end") }
    for (index, note) in notes.enumerated() {
      let line = y + 38 + 17 * Double(index)
      drawing.text(note.cut(to: room), x: x + 16, y: line, "quiet")
    }
    return y + height
  }

  private mutating func frame(
    _ verbs: [String], isPool: Bool, _ inner: PlanFigure, x: Double, y: Double, width: Double
  ) -> Double {
    let room = Int((width - 24) / Drawing.character)
    let caption = verbs.joined(separator: ".")
    var beneath = PlanPen(drawing: Drawing(title: ""))
    let top = beneath.edge(
      into: inner, at: .first, x: x + 12, y: y + (caption.isEmpty ? 10 : 26), width: width - 24)
    let end = beneath.draw(inner, x: x + 12, y: top, width: width - 24) + 12
    drawing.box(
      x: x, y: y, width: width, height: end - y, radius: 8, isPool ? "pool" : "frame")
    if !caption.isEmpty {
      drawing.text(caption.cut(to: room), x: x + 12, y: y + 18, isPool ? "pooled" : "quiet")
    }
    drawing.add(beneath.drawing)
    return end
  }

  private mutating func stack(
    _ members: [PlanFigure], x: Double, y: Double, width: Double
  ) -> Double {
    var (end, fills) = (y, false)
    for (index, member) in members.enumerated() {
      let kind = index == 0 ? Edge.first : .miss(fills: fills)
      let top = edge(into: member, at: kind, x: x, y: end, width: width)
      end = draw(member, x: x, y: top, width: width)
      fills = fills || !member.isSource
    }
    return end
  }

  /// Side by side where there is room for each, and else beneath each other.
  private mutating func lanes(
    _ lanes: [PlanFigure], x: Double, y: Double, width: Double
  ) -> Double {
    let share = (width + 12) / Double(max(1, lanes.count)) - 12
    let isWide = share >= 200
    var end = y
    for (index, lane) in lanes.enumerated() {
      let left = isWide ? x + Double(index) * (share + 12) : x
      let top = isWide ? y : end
      drawing.text("lane \(index + 1)", x: left, y: top + 12, "word")
      let start = edge(
        into: lane, at: .first, x: left, y: top + 18, width: isWide ? share : width)
      let bottom = draw(lane, x: left, y: start, width: isWide ? share : width)
      end = max(end, bottom + (isWide ? 0 : 8))
    }
    return end
  }
}
