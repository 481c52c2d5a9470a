import StrataVerbs

/// The advice about a plan.
struct PageAdvice {
  private let plan: CachePlan

  init(_ plan: CachePlan) { self.plan = plan }

  var html: HTML? {
    let advice = plan.advice
    guard !advice.isEmpty else {
      return "<section>\n<h2>Advice</h2>\n<p>No remarks.</p>\n</section>"
    }
    return """
      <section>
      <h2>Advice</h2>
      <ul class="advice">
      \(advice.map(item))
      </ul>
      </section>
      """
  }

  private func item(_ advice: CachePlan.Advice) -> HTML {
    """
    <li><code>\(.name(advice.location))</code>: \(.name(advice.reason)). \
    <b>\(.name(advice.remedy)).</b></li>
    """
  }
}
