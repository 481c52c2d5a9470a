import StrataVerbs

/// Draws diagrams from top to bottom. Each function returns the y-coordinate of the lower edge of
/// its drawing.
struct PlanRenderer {
  var drawing: Drawing

  /// The kind of edge between two boxes, or between the caller and the first box.
  enum Edge {
    /// The edge from the caller to the pipeline.
    case entry
    /// The edge to the first box in a frame, a sum, or a branch.
    case first
    /// In a sum, the edge from one level to the next level, which a get reads after a miss. `fills`
    /// is `true` if a level above the edge stores the found value.
    case miss(fills: Bool)
  }

  /// Draws a diagram within the given width. This function is recursive, but `PlanDiagram` limits
  /// the depth.
  mutating func draw(_ diagram: PlanDiagram, x: Double, y: Double, width: Double) -> Double {
    switch diagram.content {
    case .box(let title, let role, let bounds, let notes):
      box(title, role, bounds, notes, x: x, y: y, width: width)
    case .frame(let verbs, let isPool, let inner):
      frame(verbs, isPool: isPool, inner, x: x, y: y, width: width)
    case .stack(let members): stack(members, x: x, y: y, width: width)
    case .branches(let branches): draw(branches: branches, x: x, y: y, width: width)
    }
  }

  private mutating func box(
    _ title: String, _ role: CachePlan.Role?, _ bounds: [String], _ notes: [String], x: Double,
    y: Double, width: Double
  ) -> Double {
    let room = Int((width - 28) / Drawing.character)
    let height = 30 + 17 * Double(notes.count)
    drawing.box(x: x, y: y, width: width, height: height, "box")
    drawing.box(x: x, y: y, width: 5, height: height, radius: 2, DrawingColors.style(of: role))
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
    _ verbs: [String], isPool: Bool, _ inner: PlanDiagram, x: Double, y: Double, width: Double
  ) -> Double {
    let room = Int((width - 24) / Drawing.character)
    let caption = verbs.joined(separator: ".")
    var content = PlanRenderer(drawing: Drawing(title: ""))
    let top = content.edge(
      into: inner, at: .first, x: x + 12, y: y + (caption.isEmpty ? 10 : 26), width: width - 24)
    let end = content.draw(inner, x: x + 12, y: top, width: width - 24) + 12
    drawing.box(
      x: x, y: y, width: width, height: end - y, radius: 8, isPool ? "pool" : "frame")
    if !caption.isEmpty {
      drawing.text(caption.cut(to: room), x: x + 12, y: y + 18, isPool ? "pooled" : "quiet")
    }
    drawing.add(content.drawing)
    return end
  }

  private mutating func stack(
    _ members: [PlanDiagram], x: Double, y: Double, width: Double
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

  /// Draws the branches side by side if the width is sufficient, and otherwise one below the other.
  private mutating func draw(
    branches: [PlanDiagram], x: Double, y: Double, width: Double
  ) -> Double {
    let share = (width + 12) / Double(max(1, branches.count)) - 12
    let isWide = share >= 200
    var end = y
    for (index, branch) in branches.enumerated() {
      let left = isWide ? x + Double(index) * (share + 12) : x
      let top = isWide ? y : end
      drawing.text("branch \(index + 1)", x: left, y: top + 12, "word")
      let start = edge(
        into: branch, at: .first, x: left, y: top + 18, width: isWide ? share : width)
      let bottom = draw(branch, x: left, y: start, width: isWide ? share : width)
      end = max(end, bottom + (isWide ? 0 : 8))
    }
    return end
  }
}
