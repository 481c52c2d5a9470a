import Foundation

extension CachePlan {
  /// The version of the format that ``json`` writes.
  private static let version = 1

  /// The pipeline as JSON, for comparing two pipelines line by line.
  ///
  /// The same plan gives the same text on every platform. A node is an object with one of the
  /// members `level`, `sum`, `lanes`, `keys`, `values` and `verb`; `of` is what it stands on, `key`
  /// and `value` are types. The whole has the number of its version under `strata`, which rises
  /// when a reader of the old format would misread the new one.
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
  /// - Parameter json: At most 512 objects and arrays in each other; members that it does not know
  ///   are ignored.
  /// - Throws: ``PlanFormatError``, which says what is not as it should be.
  public init(json: String) throws {
    guard let whole = try? JSONSerialization.jsonObject(with: Data(json.utf8)) else {
      throw PlanFormatError("it is not JSON, or too deep")
    }
    guard let members = whole as? [String: Any], let version = members["strata"] as? Int else {
      throw PlanFormatError("there is no member \"strata\" with the version of the format")
    }
    guard (1...Self.version).contains(version) else {
      throw PlanFormatError(
        "version \(version) of the format is not known here: write it in version \(Self.version)")
    }
    guard let plan = members["plan"] else { throw PlanFormatError("there is no member \"plan\"") }
    self = try PlanNode.plan(of: plan).normalized
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
