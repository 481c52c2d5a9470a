import Foundation
import StrataVerbs

extension CachePlan {
  /// The version of the format that ``json`` writes.
  private static let version = 2

  /// The pipeline as JSON, with line breaks that make it easy to compare two pipelines.
  ///
  /// A plan has the same JSON on every platform. Each node is an object with one of the members
  /// `level`, `sum`, `branches`, `keys`, `values`, and `verb`. Its member `of` contains the node
  /// below, and `key` and `value` are the types of the node's keys and values. Arguments are
  /// written with their types. In the outer object, `strata` is the version of the format, which
  /// increases whenever readers of the old format would misread the new one.
  ///
  ///     let before = try CachePlan(json: disk.plan.json)
  ///     print(before == disk.plan)  // true
  ///
  /// JSON can't represent infinity, so an infinite argument is written as the greatest finite
  /// `Double` with the same sign. NaN becomes zero, and a duration beyond ±`Int64.max` seconds
  /// becomes the nearest one within that range.
  ///
  /// - Law: `CachePlan(json: plan.json) == plan`. See the law `plans.roundTrip` in `PlanLaws`.
  public var json: String {
    let node = fold(over: { $0.children + $0.arguments.plans }) { plan, parts in
      plan.json(of: parts)
    }
    return JSONText(rows: [("strata", "\(Self.version)"), ("plan", node)]).text
  }

  /// Creates a plan from the JSON that ``json`` writes.
  ///
  /// - Parameter json: JSON whose objects and arrays are nested at most 512 levels deep. Unknown
  ///   members are ignored.
  /// - Throws: A ``PlanFormatError`` with the location of the fault.
  public init(json: String) throws {
    guard let whole = try? JSONSerialization.jsonObject(with: Data(json.utf8)) else {
      throw PlanFormatError("the text isn't JSON, or is nested too deeply")
    }
    guard let members = whole as? [String: Any], let version = members["strata"] as? Int else {
      throw PlanFormatError("the member \"strata\" with the version of the format is missing")
    }
    guard version == Self.version else {
      throw PlanFormatError(
        "version \(version) of the format is unknown; write the plan in version \(Self.version)")
    }
    guard let plan = members["plan"] else {
      throw PlanFormatError("the member \"plan\" is missing")
    }
    self = try PlanReader.plan(of: plan)
  }

  /// Returns this node as JSON. `parts` contains the JSON of the children, and then the JSON of
  /// each argument that is itself a plan.
  private func json(of parts: [JSONText]) -> JSONText {
    let children = Array(parts.prefix(children.count))
    let plans = parts.dropFirst(children.count)
    var members: [JSONText.Member]
    switch form {
    case .sum: return JSONText([], ("sum", children))
    case .branches: return JSONText([("kind", .string(kind.name))], ("branches", children))
    case .level(let role):
      members = [
        ("level", .string(kind.name)), ("stores", "\(role.stores)"),
        ("isImmediate", "\(role.isImmediate)"),
      ]
    case .mappedKeys: members = [("keys", .string(kind.name))]
    case .mappedValues(let decodes):
      members = [("values", .string(kind.name))] + (decodes ? [] : [("decodes", "false")])
    case .verb: members = [("verb", .string(kind.name))]
    }
    if let types { members += [("key", .string(types.key)), ("value", .string(types.value))] }
    if !arguments.elements.isEmpty { members.append(("arguments", arguments.json(of: plans))) }
    return children.isEmpty && plans.isEmpty
      ? JSONText(row: members) : JSONText(rows: members + children.map { ("of", $0) })
  }
}

extension CachePlan.Arguments {
  fileprivate func json(of plans: ArraySlice<JSONText>) -> JSONText {
    var plans = plans
    let items = elements.map { argument in
      let label = argument.label.map { [("label", JSONText.string($0))] } ?? []
      return JSONText(row: label + [argument.value.json { plans.removeFirst() }])
    }
    return JSONText(items)
  }
}

extension CachePlan.Value {
  /// Returns a JSON member with the type of this value as its name and the value as its content.
  fileprivate func json(plan: () -> JSONText) -> JSONText.Member {
    switch self {
    case .count(let count): ("count", "\(count)")
    case .bytes(let count): ("bytes", "\(count)")
    case .fraction(let fraction): ("fraction", .number(fraction))
    case .duration(let duration): ("duration", .duration(duration))
    case .date(let instant): ("date", .duration(instant.sinceEpoch))
    case .text(let text): ("text", .string(text))
    case .name(let name): ("name", .string(name))
    case .plan: ("plan", plan())
    }
  }
}
