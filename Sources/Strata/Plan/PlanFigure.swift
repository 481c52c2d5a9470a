/// A plan as it is drawn: boxes and frames, with what is changed on the way into each.
///
/// A verb is a line in the box of the one level that it is about, or else a frame around what it is
/// about; a verb that is not known here is drawn like any other.
struct PlanFigure: Sendable {
  /// What stands there.
  indirect enum Content: Sendable {
    /// A level, with what bounds it and the verbs on it.
    case box(title: String, bounds: [String], notes: [String])
    /// Verbs around something, the innermost first; a map of a whole sum has a frame without any.
    case frame(verbs: [String], isPool: Bool, PlanFigure)
    /// Levels one above another.
    case stack([PlanFigure])
    /// Lanes side by side.
    case lanes([PlanFigure])
  }

  /// A map on the way in, or on the way out.
  struct Step: Sendable {
    let label: String
    let from: String?
    let to: String?

    var text: String {
      guard let from, let to else { return label }
      return "\(label): \(from) → \(to)"
    }
  }

  var content: Content
  var types: CachePlan.Types?
  /// How the keys change on their way in, the outer-most first.
  var keys: [Step] = []
  /// How the values change on their way out, the outer-most first.
  var values: [Step] = []
  /// How many frames stand in each other.
  var depth = 0
  /// Whether it stores nothing: a value found below is not written into it.
  var isSource = false

  private var hasSteps: Bool { !keys.isEmpty || !values.isEmpty }
}

extension PlanFigure {
  /// More frames in each other than this are drawn as one box.
  private static let deepest = 8

  init(_ plan: CachePlan) {
    var lifetimes =
      plan.normalized.places.compactMap { place in
        place.plan.children.isEmpty ? .some(place.lifetime) : nil
      }.reversed() as [Duration?]
    self = plan.normalized.fold { plan, parts in
      switch plan {
      case .level(let name, let detail, let types):
        return .level(name, detail, types, lifetime: lifetimes.popLast() ?? nil)
      case .sum:
        return PlanFigure(
          content: .stack(parts), types: plan.types, depth: parts.map(\.depth).max() ?? 0,
          isSource: parts.allSatisfy(\.isSource))
      case .lanes:
        return PlanFigure(
          content: .lanes(parts), types: plan.types, depth: parts.map(\.depth).max() ?? 0,
          isSource: parts.allSatisfy(\.isSource)
        ).framed("switching")
      case .mappedKeys(let inner, let label, let types):
        return parts[0].mapped(types) { figure in
          let step = Step(label: label, from: types?.key, to: inner.types?.key)
          figure.keys.insert(step, at: 0)
        }
      case .mappedValues(let inner, let label, let types):
        return parts[0].mapped(types) { figure in
          let step = Step(label: label, from: inner.types?.value, to: types?.value)
          figure.values.insert(step, at: 0)
        }
      case .verb(_, let name, _, let types):
        return parts[0].with(verb: plan.caption, name: name, types)
      }
    }
  }

  private static func level(
    _ name: String, _ detail: String?, _ types: CachePlan.Types?, lifetime: Duration?
  ) -> PlanFigure {
    let isNumber = detail?.first?.isNumber == true
    let bounds = [
      detail.map { isNumber ? "holds \($0)" : $0 }, lifetime.map { "lives \($0.formattedExactly)" },
    ]
    return PlanFigure(
      content: .box(title: name, bounds: bounds.compactMap { $0 }, notes: []), types: types,
      isSource: CachePlan.isSource(name))
  }

  /// A map of a sum is one of all its members: it needs a frame to stand at.
  private func mapped(
    _ types: CachePlan.Types?, _ change: (inout PlanFigure) -> Void
  ) -> PlanFigure {
    var figure = self
    if case .stack = content { figure = framed(nil) }
    change(&figure)
    figure.types = types
    return figure
  }

  private func with(verb: String, name: String, _ types: CachePlan.Types?) -> PlanFigure {
    var figure = self
    let (isPool, isName) = (name == "pooled", name == "named" || name == "observed")
    switch content {
    case .box(let title, let bounds, let notes) where !isPool && (isName || !hasSteps):
      figure.content = .box(title: title, bounds: bounds, notes: notes + [verb])
    case .frame(let verbs, let wasPool, let inner) where !hasSteps && !verbs.isEmpty:
      figure.content = .frame(verbs: verbs + [verb], isPool: isPool || wasPool, inner)
    default:
      figure = framed(verb, isPool: isPool)
    }
    figure.types = types
    return figure
  }

  private func framed(_ verb: String?, isPool: Bool = false) -> PlanFigure {
    var inner = self
    if depth >= Self.deepest {
      inner.content = .box(title: "…", bounds: ["deeper than is drawn"], notes: [])
      inner.depth = 0
    }
    return PlanFigure(
      content: .frame(verbs: verb.map { [$0] } ?? [], isPool: isPool, inner), types: types,
      depth: inner.depth + 1, isSource: isSource)
  }
}
