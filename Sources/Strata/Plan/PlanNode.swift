import Foundation

/// Text that is not a plan in JSON, and what is wrong with it.
public struct PlanFormatError: LocalizedError, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, and where.
  public let description: String

  /// The description, for those who show errors to people.
  public var errorDescription: String? { description }

  init(_ reason: String) { description = "this is no plan: \(reason)" }
}

/// A node of a plan as it stands in JSON, with those of its parts that have been read.
struct PlanNode {
  private let place: String
  private let members: [String: Any]
  private let parts: [(place: String, node: Any)]
  private var plans: [CachePlan] = []

  /// Reads a node and all beneath it, without a stack that grows with the depth of the text.
  static func plan(of root: Any) throws -> CachePlan {
    var open = [try PlanNode(root, at: "plan")]
    while true {
      let top = open.count - 1
      if open[top].plans.count < open[top].parts.count {
        let part = open[top].parts[open[top].plans.count]
        open.append(try PlanNode(part.node, at: part.place))
        continue
      }
      let plan = try open.removeLast().plan()
      if open.isEmpty { return plan }
      open[top - 1].plans.append(plan)
    }
  }

  private init(_ node: Any, at place: String) throws {
    guard let members = node as? [String: Any] else {
      throw PlanFormatError("at \(place) there is no object")
    }
    (self.place, self.members) = (place, members)
    if let name = ["sum", "lanes"].first(where: { members[$0] != nil }) {
      guard let list = members[name] as? [Any] else {
        throw PlanFormatError("at \(place).\(name) there is no array")
      }
      parts = list.enumerated().map { ("\(place).\(name)[\($0)]", $1) }
    } else if members["level"] != nil {
      parts = []
    } else if ["keys", "values", "verb"].contains(where: { members[$0] != nil }) {
      guard let node = members["of"] else { throw PlanFormatError("there is no \(place).of") }
      parts = [("\(place).of", node)]
    } else {
      throw PlanFormatError(
        "at \(place) there is none of level, sum, lanes, keys, values and verb")
    }
  }

  private func text(_ name: String) throws -> String? {
    guard let member = members[name] else { return nil }
    guard let text = member as? String else {
      throw PlanFormatError("at \(place).\(name) there is no text")
    }
    return text
  }

  /// This node over the plans of its parts.
  private func plan() throws -> CachePlan {
    if members["sum"] != nil { return .sum(plans) }
    if members["lanes"] != nil { return .lanes(plans) }
    let (key, value) = (try text("key"), try text("value"))
    let types = key.flatMap { key in value.map { CachePlan.Types(key: key, value: $0) } }
    if let name = try text("level") {
      return .level(name, detail: try text("detail"), types: types)
    }
    if let label = try text("keys") { return .mappedKeys(plans[0], label: label, types: types) }
    if let label = try text("values") { return .mappedValues(plans[0], label: label, types: types) }
    return .verb(
      plans[0], name: try text("verb") ?? "", arguments: try text("arguments") ?? "", types: types)
  }
}
