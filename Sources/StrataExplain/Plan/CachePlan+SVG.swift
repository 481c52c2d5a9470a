import StrataVerbs

extension CachePlan {
  /// The pipeline as an SVG drawing that is 600 units wide.
  ///
  /// Arrows on the left show how keys are passed down, and arrows on the right how values return.
  /// Boxes are levels, and also show their capacities. Frames around several levels are verbs that
  /// apply to all of them, such as `pooled()`. Dashed arrows mean that the levels above also store
  /// a found value. Colors follow the viewer's light or dark mode. At most eight frames are nested,
  /// and a box stands for everything that is deeper. Long text is truncated with an ellipsis.
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
