import StrataVerbs

/// The pipeline as nested boxes, which show the figures of the levels.
struct PagePipeline {
  private let diagram: PlanDiagram
  private let totals: PageTotals
  private let plan: CachePlan

  init(_ plan: CachePlan, _ totals: PageTotals) {
    (self.plan, self.totals, diagram) = (plan, totals, PlanDiagram(plan))
  }

  var html: HTML? {
    """
    <section>
    <h2>Pipeline</h2>
    <div class="pipeline">
    \(draw(diagram, isOutermost: true))
    </div>
    <p class="quiet"><code>\(.name(plan.description))</code></p>
    </section>
    """
  }

  /// Draws a diagram. This function is recursive, but `PlanDiagram` limits the depth.
  private func draw(_ diagram: PlanDiagram, isOutermost: Bool = false) -> HTML {
    let content: HTML =
      switch diagram.content {
      case .box(let title, let role, let bounds, let notes):
        box(title, role, bounds, notes, diagram.stage)
      case .frame(let verbs, let isPool, let inner): frame(verbs, isPool, inner)
      case .stack(let members): stack(members)
      case .branches(let branches): HTML(branches.enumerated().map(branch))
      }
    return "\(maps(diagram, isOutermost))\(content)"
  }

  private func maps(_ diagram: PlanDiagram, _ isOutermost: Bool) -> HTML {
    var texts = (diagram.keys + diagram.values).map(\.text)
    if isOutermost, texts.isEmpty, let types = diagram.types { texts = [types.text] }
    return HTML(texts.map { "<p class=\"map\">\(.name($0))</p>" })
  }

  private func box(
    _ title: String, _ role: CachePlan.Role?, _ bounds: [String], _ notes: [String],
    _ stage: String?
  ) -> HTML {
    """
    <div class="level \(DrawingColors.style(of: role))">
    <h3>\(.name(title)) <small>\(.name(bounds.joined(separator: ", ")))</small></h3>
    \(notes.map { "<p class=\"quiet\">\(.name($0))</p>" })
    \(stage.map(figures) ?? "")
    </div>
    """
  }

  private func figures(_ name: String) -> HTML {
    guard let stage = totals[name] else { return "" }
    let share = totals.share(of: name)
    let (half, most) = (stage.latency.quantile(0.5), stage.latency.quantile(0.99))
    return """
      <div class="bar"><i style="width:\(PageFigures.share(share ?? 0))"></i></div>
      <p class="figures"><b>\(PageFigures.percent(share))</b> of answers · \
      <span>p50 \(PageFigures.duration(half))</span> · <span>p99 \(PageFigures.duration(most))</span>\
      \(stage.isCircuitOpen ? "<b class=\"bad\"> · ⚠ circuit open</b>" : "")</p>
      """
  }

  private func frame(_ verbs: [String], _ isPool: Bool, _ inner: PlanDiagram) -> HTML {
    let caption: HTML =
      verbs.isEmpty ? "" : "<p class=\"verbs\">\(.name(verbs.joined(separator: ".")))</p>"
    return "<div class=\"frame\(isPool ? " pool" : "")\">\n\(caption)\n\(draw(inner))\n</div>"
  }

  private func stack(_ members: [PlanDiagram]) -> HTML {
    var (parts, fills): ([HTML], Bool) = ([], false)
    for (index, member) in members.enumerated() {
      if index > 0 {
        let note: HTML = fills ? " <span>↑ fills what is above</span>" : ""
        parts.append("<p class=\"edge\"><span>↓ on a miss</span>\(note)</p>")
      }
      parts.append(draw(member))
      fills = fills || !member.isSource
    }
    return HTML(parts)
  }

  private func branch(_ index: Int, _ branch: PlanDiagram) -> HTML {
    "<p class=\"edge\"><span>branch \("\(index + 1)")</span></p>\n\(draw(branch))"
  }
}
