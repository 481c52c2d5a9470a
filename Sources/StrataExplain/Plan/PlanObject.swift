import Foundation
import StrataVerbs

/// A JSON object in a serialized plan, with its location for error messages.
struct PlanObject {
  let location: String
  let members: [String: Any]

  init(_ node: Any, at location: String) throws {
    guard let members = node as? [String: Any] else {
      throw PlanFormatError("\(location) must be an object")
    }
    (self.location, self.members) = (location, members)
  }

  func member(_ name: String) throws -> Any {
    guard let member = members[name] else {
      throw PlanFormatError("\(location).\(name) is missing")
    }
    return member
  }

  func text(_ name: String) throws -> String? { try typed(name, "text") }
  func flag(_ name: String) throws -> Bool? { try typed(name, "true or false") }

  /// Returns the items of an array, each with its location. If the member is missing, returns an
  /// empty array.
  func list(_ name: String) throws -> [(location: String, node: Any)] {
    let items: [Any]? = try typed(name, "an array")
    return (items ?? []).enumerated().map { ("\(location).\(name)[\($0)]", $1) }
  }

  /// Reads this object as an argument, and returns its value. If the value is a nested plan,
  /// `PlanReader` reads it.
  func value() throws -> CachePlan.Value {
    if let count: Int = try typed("count", "an integer") { return .count(count) }
    if let count: Int = try typed("bytes", "an integer") { return .bytes(count) }
    if let fraction: Double = try typed("fraction", "a number") { return .fraction(fraction) }
    if let duration = try duration("duration") { return .duration(duration) }
    if let date = try duration("date") { return .date(TimeSource.Instant(sinceEpoch: date)) }
    if let text = try text("text") { return .text(text) }
    if let name = try text("name") { return .name(name) }
    throw PlanFormatError("\(location) has no value of a known type")
  }

  private func duration(_ name: String) throws -> Duration? {
    guard let node = members[name] else { return nil }
    let object = try PlanObject(node, at: "\(location).\(name)")
    _ = try object.member("seconds")
    let seconds: Int64 = try object.typed("seconds", "an integer") ?? 0
    let attoseconds: Int64 = try object.typed("attoseconds", "an integer") ?? 0
    return Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  private func typed<Member>(_ name: String, _ expected: String) throws -> Member? {
    guard let member = members[name] else { return nil }
    guard let typed = member as? Member else {
      throw PlanFormatError("\(location).\(name) must be \(expected)")
    }
    return typed
  }
}
