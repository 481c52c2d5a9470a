import StrataCore

extension CachePlan {
  /// The pipeline as an SVG drawing that is 600 units wide.
  ///
  /// Keys travel down, by arrows on the left, and values travel up, on the right. Each level is a
  /// box, which also shows its capacity. Frames around several levels are verbs that apply to all
  /// of them, such as `pooled()`. Dashed arrows mean that a found value is also stored in the
  /// levels above. Colors follow the light or dark mode of the viewer. Below eight nested frames, a
  /// box replaces the deeper ones. Long text is truncated with an ellipsis.
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
