import Foundation
import StrataVerbs

/// The error for JSON that isn't a valid plan.
public struct PlanFormatError: LocalizedError, Equatable, Sendable, CustomStringConvertible {
  /// The fault and its location.
  public let description: String

  /// The description.
  public var errorDescription: String? { description }

  init(_ reason: String) { description = "invalid plan: \(reason)" }
}

/// Reads one node of a plan from JSON. Plans below the node are read first, because the node's own
/// plan contains them.
struct PlanReader {
  private let object: PlanObject
  private let form: String
  private let arguments: [PlanObject]
  /// The JSON of the child nodes, and then the JSON of each argument that is itself a plan.
  private let parts: [(location: String, node: Any)]
  private let childCount: Int
  private var plans: [CachePlan] = []

  /// Reads a node and all nodes below it in a loop, without recursion.
  static func plan(of root: Any) throws -> CachePlan {
    var open = [try PlanReader(root, at: "plan")]
    while true {
      let top = open.count - 1
      if open[top].plans.count < open[top].parts.count {
        let part = open[top].parts[open[top].plans.count]
        open.append(try PlanReader(part.node, at: part.location))
        continue
      }
      let plan = try open.removeLast().plan()
      if open.isEmpty { return plan }
      open[top - 1].plans.append(plan)
    }
  }

  private init(_ node: Any, at location: String) throws {
    let object = try PlanObject(node, at: location)
    let forms = ["sum", "branches", "level", "keys", "values", "verb"]
    guard let form = forms.first(where: { object.members[$0] != nil }) else {
      throw PlanFormatError(
        "\(location) needs one of the members level, sum, branches, keys, values, and verb")
    }
    (self.object, self.form) = (object, form)
    arguments = try object.list("arguments").map { try PlanObject($0.node, at: $0.location) }
    var children: [(location: String, node: Any)] = []
    switch form {
    case "sum", "branches": children = try object.list(form)
    case "level": break
    default: children = [("\(location).of", try object.member("of"))]
    }
    childCount = children.count
    parts =
      children
      + arguments.compactMap { argument in
        argument.members["plan"].map { ("\(argument.location).plan", $0) }
      }
  }

  /// Returns the plan of this node. Before this call, the plans of the node's children and in its
  /// arguments must have been read.
  private func plan() throws -> CachePlan {
    let children = Array(plans.prefix(childCount))
    let (key, value) = (try object.text("key"), try object.text("value"))
    let types = key.flatMap { key in value.map { CachePlan.Types(key: key, value: $0) } }
    switch form {
    case "sum": return .sum(children)
    case "branches":
      return .branches(CachePlan.Kind(try object.text("kind") ?? "branches"), children)
    case "keys":
      return .mappedKeys(children[0], label: try object.text(form) ?? "", types: types)
    case "values":
      return .mappedValues(
        children[0], label: try object.text(form) ?? "",
        decodes: try object.flag("decodes") ?? true, types: types)
    default:
      let kind = CachePlan.Kind(try object.text(form) ?? "")
      let arguments = try values()
      if form == "verb" { return .verb(children[0], kind, arguments, types: types) }
      return .level(kind, try role(), arguments, types: types)
    }
  }

  private func role() throws -> CachePlan.Role {
    let (stores, isImmediate) = (try object.flag("stores"), try object.flag("isImmediate"))
    let roles: [CachePlan.Role] = [.memory, .storage, .origin, .constant]
    let role = roles.first { $0.stores == stores && $0.isImmediate == isImmediate }
    guard let role else {
      throw PlanFormatError("\(object.location) needs the members stores and isImmediate")
    }
    return role
  }

  private func values() throws -> CachePlan.Arguments {
    var plans = plans.dropFirst(childCount)
    return CachePlan.Arguments(
      try arguments.map { argument in
        let plan = argument.members["plan"].map { _ in plans.removeFirst() }
        return CachePlan.Argument(
          label: try argument.text("label"),
          value: try plan.map(CachePlan.Value.plan) ?? argument.value())
      })
  }
}
