import Foundation

extension CachePlan {
  /// The version of the format that ``json`` writes.
  private static let version = 1

  /// The pipeline as JSON, for comparing two pipelines line by line.
  ///
  /// The same plan gives the same text on every platform. A node is an object with one of the members
  /// `level`, `sum`, `lanes`, `keys`, `values` and `verb`; `of` is what it stands on, `key` and `value`
  /// are types. The whole has the number of its version under `strata`, which rises when a reader of
  /// the old format would misread the new one.
  ///
  ///     let before = try CachePlan(json: disk.plan.json)
  ///     print(before == disk.plan)  // true
  ///
  /// - Law: what is written is what is read: `plans.roundTrip`; see `PlanLaws`.
  public var json: String {
    let lines = normalized.fold(Self.lines)
    return (["{", "  \"strata\": \(Self.version),"] + ("\"plan\": " + lines).indented + ["}"])
      .joined(separator: "\n")
  }

  /// Reads a plan from the JSON that ``json`` writes.
  ///
  /// - Parameter json: At most 500 nodes deep; members that it does not know are ignored.
  /// - Throws: ``PlanFormatError``, which says what is not as it should be.
  public init(json: String) throws {
    do {
      let document = try JSONDecoder().decode(PlanDocument.self, from: Data(json.utf8))
      guard document.strata <= Self.version else {
        throw PlanFormatError(
          "version \(document.strata) of the format is newer than \(Self.version), which is known "
            + "here")
      }
      guard let plan = document.plan else { throw PlanFormatError("there is no member \"plan\"") }
      self = plan.plan.normalized
    } catch let error as DecodingError {
      throw PlanFormatError(error)
    }
  }

  private static func lines(_ plan: CachePlan, _ parts: [[String]]) -> [String] {
    var members: [(name: String, text: String)] = []
    switch plan {
    case .level(let name, let detail, _):
      members = [("level", name.quoted)] + (detail.map { [("detail", $0.quoted)] } ?? [])
    case .sum: return "{ \"sum\": " + list(parts) + " }"
    case .lanes: return "{ \"lanes\": " + list(parts) + " }"
    case .mappedKeys(_, let label, _): members = [("keys", label.quoted)]
    case .mappedValues(_, let label, _): members = [("values", label.quoted)]
    case .verb(_, let name, let arguments, _):
      members = [("verb", name.quoted)]
      if !arguments.isEmpty { members.append(("arguments", arguments.quoted)) }
    }
    if let types = plan.types {
      members += [("key", types.key.quoted), ("value", types.value.quoted)]
    }
    let text = members.map { "\"\($0.name)\": \($0.text)" }.joined(separator: ", ")
    guard let part = parts.first else { return ["{ \(text) }"] }
    return ["{", "  \(text),"] + ("\"of\": " + part).indented + ["}"]
  }

  private static func list(_ parts: [[String]]) -> [String] {
    let rows = parts.enumerated().flatMap { index, part in
      index == parts.count - 1 ? part : part + ","
    }
    return ["["] + rows.indented + ["]"]
  }
}

/// Text that is not a plan in JSON, and what is wrong with it.
public struct PlanFormatError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, and where.
  public let description: String

  init(_ reason: String) { description = "this is no plan: \(reason)" }

  init(_ error: DecodingError) {
    switch error {
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      self.init("it is not JSON, or too deep")
    case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context):
      let place = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }
      let spot = place.isEmpty ? "the top" : place.joined()
      self.init("\(context.debugDescription) At \(spot).")
    @unknown default: self.init("\(error)")
    }
  }
}

private struct PlanDocument: Decodable {
  let strata: Int
  let plan: PlanNode?
}

/// A node as it stands in the text.
private struct PlanNode: Decodable {
  let plan: CachePlan

  private enum Name: String, CodingKey {
    case level, detail, sum, lanes, keys, values, verb, arguments, key, value, of
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Name.self)
    func text(_ name: Name) throws -> String? {
      try members.decodeIfPresent(String.self, forKey: name)
    }
    func plans(_ name: Name) throws -> [CachePlan]? {
      try members.decodeIfPresent([PlanNode].self, forKey: name)?.map(\.plan)
    }
    let types = try text(.key).flatMap { key in
      try text(.value).map { CachePlan.Types(key: key, value: $0) }
    }
    if let name = try text(.level) {
      plan = .level(name, detail: try text(.detail), types: types)
    } else if let members = try plans(.sum) {
      plan = .sum(members)
    } else if let lanes = try plans(.lanes) {
      plan = .lanes(lanes)
    } else {
      let base = { try members.decode(PlanNode.self, forKey: .of).plan }
      if let label = try text(.keys) {
        plan = .mappedKeys(try base(), label: label, types: types)
      } else if let label = try text(.values) {
        plan = .mappedValues(try base(), label: label, types: types)
      } else if let name = try text(.verb) {
        plan = .verb(try base(), name: name, arguments: try text(.arguments) ?? "", types: types)
      } else {
        throw DecodingError.dataCorruptedError(
          forKey: .of, in: members,
          debugDescription: "A node is one of level, sum, lanes, keys, values and verb.")
      }
    }
  }
}

extension [String] {
  fileprivate var indented: [String] { map { "  " + $0 } }

  fileprivate static func + (start: String, lines: [String]) -> [String] {
    guard let first = lines.first else { return [start] }
    return [start + first] + lines.dropFirst()
  }

  fileprivate static func + (lines: [String], end: String) -> [String] {
    guard let last = lines.last else { return [end] }
    return lines.dropLast() + [last + end]
  }
}

extension String {
  /// This text as JSON has it.
  fileprivate var quoted: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case _ where scalar.value < 32:
        text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  /// This text on one line: what breaks lines or cannot be shown is a space.
  var onOneLine: String {
    var text = ""
    for scalar in unicodeScalars {
      let isShown =
        scalar.value >= 32 && !(0x7F...0x9F).contains(scalar.value)
        && !(0x2028...0x2029).contains(scalar.value) && !(0xFFFE...0xFFFF).contains(scalar.value)
      text.unicodeScalars.append(isShown ? scalar : " ")
    }
    return text
  }

  /// At most so many characters, the last of them a mark that there are more.
  func cut(to count: Int) -> String {
    self.count <= count ? self : prefix(max(0, count - 1)) + "…"
  }
}
