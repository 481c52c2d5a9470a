import StrataCore

extension CachePlan {
  /// The pipeline as an SVG drawing that is 600 units wide.
  ///
  /// Arrows for keys point down on the left, and arrows for values point up on the right. Each
  /// level is drawn as a box, which also shows the level's capacity. A frame around several levels
  /// represents a verb that applies to all of them, such as `pooled()`. A dashed arrow means that a
  /// found value is also stored in the levels above. The colors follow the light or dark mode of
  /// the viewer. If frames are nested more than eight deep, a box replaces the deeper frames. Text
  /// that is too long is truncated with an ellipsis.
  ///
  ///     try pages.plan.svg.write(toFile: "pages.svg", atomically: true, encoding: .utf8)
  ///
  /// - Law: `((a + b) + c).plan.svg == (a + (b + c)).plan.svg`. See the law `plans.associativity`
  ///   in `PlanLaws`.
  public var svg: String {
    let diagram = PlanDiagram(self)
    var renderer = PlanRenderer(drawing: Drawing(title: description.cut(to: 400)))
    let (x, width) = (16.0, Drawing.width - 32)
    let top = renderer.edge(into: diagram, at: .entry, x: x, y: 12, width: width)
    let bottom = renderer.draw(diagram, x: x, y: top, width: width)
    return renderer.drawing.svg(height: bottom + 16)
  }
}
