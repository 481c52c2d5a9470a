import Strata

extension CachePlan {
  /// The pipeline as a drawing in SVG, 600 units wide.
  ///
  /// Keys go down on the left, and values come up on the right. A box is a level with its capacity,
  /// and a frame is a pool. A dashed arrow is a value that fills the levels above. The colors
  /// follow the light or dark mode of the viewer. A box replaces frames nested more than eight
  /// deep, and an ellipsis replaces long text.
  ///
  ///     try pages.plan.svg.write(toFile: "pages.svg", atomically: true, encoding: .utf8)
  ///
  /// - Law: `((a + b) + c).plan.svg == (a + (b + c)).plan.svg`: `plans.associativity`. See
  ///   `PlanLaws`.
  public var svg: String {
    let diagram = PlanDiagram(self)
    var renderer = PlanRenderer(drawing: Drawing(title: description.cut(to: 400)))
    let (x, width) = (16.0, Drawing.width - 32)
    let top = renderer.edge(into: diagram, at: .entry, x: x, y: 12, width: width)
    let bottom = renderer.draw(diagram, x: x, y: top, width: width)
    return renderer.drawing.svg(height: bottom + 16)
  }
}
