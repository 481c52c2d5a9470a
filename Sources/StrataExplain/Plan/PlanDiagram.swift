import StrataVerbs

/// A plan as nested boxes and frames. When functions map the keys and values of a box or a frame,
/// they are above it.
///
/// Whatever its kind is, a verb of one level is a line of text in the level's box, and a verb of
/// several levels is a frame around them.
struct PlanDiagram: Sendable {
  /// The shape of a diagram.
  indirect enum Content: Sendable {
    /// A level with its bounds and its verbs. When `role` is `nil`, the box is a placeholder for
    /// content that is nested too deeply.
    case box(title: String, role: CachePlan.Role?, bounds: [String], notes: [String])
    /// The verbs around a diagram, from the innermost to the outermost. Frames without verbs
    /// surround a sum whose keys or values are mapped.
    case frame(verbs: [String], isPool: Bool, PlanDiagram)
    /// Levels in lookup order.
    case stack([PlanDiagram])
    /// Branches. Each get reaches only one branch.
    case branches([PlanDiagram])
  }

  /// A function that maps keys or values.
  struct Mapping: Sendable {
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
  /// The functions that map the keys, from the outermost to the innermost.
  var keys: [Mapping] = []
  /// The functions that map the values, from the outermost to the innermost.
  var values: [Mapping] = []
  /// The name of the stage of a single level.
  var stage: String?
  /// The number of nested frames.
  var depth = 0
  /// Whether every level in this diagram is an origin or a constant, which stores no back-fills.
  var isSource = false

  private var hasMappings: Bool { !keys.isEmpty || !values.isEmpty }
}

extension PlanDiagram {
  /// The maximum number of nested frames. Boxes replace all frames that are deeper.
  private static let maximumDepth = 8

  init(_ plan: CachePlan) {
    var levels = plan.contexts.filter { $0.role != nil }[...]
    self = plan.fold { plan, parts in
      switch plan.form {
      case .level: PlanDiagram(level: levels.removeFirst())
      case .sum: PlanDiagram(.stack(parts), of: parts, plan.types)
      case .branches:
        PlanDiagram(.branches(parts), of: parts, plan.types).framed(plan.kind.name)
      case .mappedKeys:
        parts[0].mapped(plan.types) { diagram in
          let inner = plan.children[0].types?.key
          diagram.keys.insert(
            Mapping(label: plan.kind.name, from: plan.types?.key, to: inner), at: 0)
        }
      case .mappedValues:
        parts[0].mapped(plan.types) { diagram in
          let inner = plan.children[0].types?.value
          diagram.values.insert(
            Mapping(label: plan.kind.name, from: inner, to: plan.types?.value), at: 0)
        }
      case .verb: parts[0].with(verb: plan)
      }
    }
  }

  private init(level context: PlanContext) {
    let plan = context.plan
    let arguments = plan.arguments.elements.isEmpty ? nil : "\(plan.arguments)"
    let bounds = [
      arguments.map { plan.capacity == nil ? $0 : "holds \($0)" },
      context.lifetime.map { "lives \($0.formattedExactly)" },
    ]
    content = .box(
      title: plan.kind.name, role: context.role, bounds: bounds.compactMap { $0 }, notes: [])
    (types, isSource) = (plan.types, plan.storesNothing)
  }

  private init(_ content: Content, of parts: [PlanDiagram], _ types: CachePlan.Types?) {
    (self.content, self.types) = (content, types)
    depth = parts.map(\.depth).max() ?? 0
    isSource = parts.allSatisfy(\.isSource)
  }

  /// Returns this diagram with an added mapping. Mappings of a sum apply to all members, so the sum
  /// gets a frame.
  private func mapped(
    _ types: CachePlan.Types?, _ change: (inout PlanDiagram) -> Void
  ) -> PlanDiagram {
    var diagram = self
    if case .stack = content { diagram = framed(nil) }
    change(&diagram)
    diagram.types = types
    return diagram
  }

  private func with(verb: CachePlan) -> PlanDiagram {
    var diagram = self
    let (isPool, isName) = (verb.isVerb(.pooled), verb.isVerb(.named, .observed))
    switch content {
    case .box(let title, let role, let bounds, let notes) where !isPool && (isName || !hasMappings):
      diagram.content = .box(
        title: title, role: role, bounds: bounds, notes: notes + [verb.caption])
    case .frame(let verbs, let wasPool, let inner) where !hasMappings && !verbs.isEmpty:
      diagram.content = .frame(verbs: verbs + [verb.caption], isPool: isPool || wasPool, inner)
    default:
      diagram = framed(verb.caption, isPool: isPool)
    }
    if case .box = content, isName, verb.isVerb(.named) { diagram.stage = stage ?? verb.stage }
    diagram.types = verb.types
    return diagram
  }

  private func framed(_ verb: String?, isPool: Bool = false) -> PlanDiagram {
    var inner = self
    if depth >= Self.maximumDepth {
      inner.content = .box(title: "…", role: nil, bounds: ["deeper levels are omitted"], notes: [])
      inner.depth = 0
    }
    return PlanDiagram(
      content: .frame(verbs: verb.map { [$0] } ?? [], isPool: isPool, inner), types: types,
      depth: inner.depth + 1, isSource: isSource)
  }
}
