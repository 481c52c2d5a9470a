import Strata

/// The levels of a pipeline that `simulate` builds, from top to bottom. Its last level is the
/// origin.
struct SimulatedPipeline: Equatable, Sendable {
  struct Level: Equatable, Sendable {
    let name: String
    /// The capacity: a number of values, or for a trace with sizes, a sum of sizes. The origin has
    /// no capacity, so it's `nil` there.
    var capacity: Int?
    /// The time that each get of the level takes.
    let latency: Duration
  }

  /// The maximum number of levels of a pipeline.
  static let longest = 8

  var levels: [Level]

  /// Parses text such as `memory(1000) + disk(20000, 5ms) + origin(80ms)`.
  init(_ text: String) throws {
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count <= Self.longest else { throw Self.fault(text) }
    var levels: [Level] = []
    for (index, part) in parts.enumerated() {
      guard let level = Self.level(part, isOrigin: index == parts.count - 1),
        !levels.contains(where: { $0.name == level.name })
      else { throw Self.fault(text) }
      levels.append(level)
    }
    guard levels.count > 1 else { throw Self.fault(text) }
    self.levels = levels
  }

  private static func fault(_ text: String) -> UsageError {
    UsageError.value(
      text, of: "--pipeline",
      expected: "two to eight levels with different names, such as "
        + "\"memory(1000) + disk(20000, 5ms) + origin(80ms)\"")
  }

  private static func level(_ text: Substring, isOrigin: Bool) -> Level? {
    let parts = text.split(separator: "(", omittingEmptySubsequences: false)
    guard parts.count == 2, let inner = parts[1].trimmed.dropping(last: ")") else { return nil }
    let name = String(parts[0].trimmed)
    let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard !name.isEmpty, name.count <= 40, isName else { return nil }
    let arguments = inner.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    if isOrigin {
      guard arguments.count == 1, let latency = duration(arguments[0]) else { return nil }
      return Level(name: name, latency: latency)
    }
    guard arguments.count <= 2, let capacity = Int(arguments[0]),
      (1...(1 << 48)).contains(capacity),
      let latency = arguments.count == 2 ? duration(arguments[1]) : .zero
    else { return nil }
    return Level(name: name, capacity: capacity, latency: latency)
  }

  /// Parses a duration such as `80ms`, `1.5s`, or `0`. Returns `nil` if it's longer than an hour.
  private static func duration(_ text: Substring) -> Duration? {
    let units: [(String, Double)] = [("us", 1e-6), ("ms", 1e-3), ("s", 1)]
    guard let unit = units.first(where: { text.hasSuffix($0.0) }) else {
      return text == "0" ? .zero : nil
    }
    guard let number = Double(text.dropLast(unit.0.count).trimmed), number >= 0 else { return nil }
    let seconds = number * unit.1
    return seconds <= 3600 ? .seconds(seconds) : nil
  }
}

extension StringProtocol {
  fileprivate var trimmed: SubSequence {
    let start = firstIndex { $0 != " " && $0 != "\t" } ?? endIndex
    let last = lastIndex { $0 != " " && $0 != "\t" }
    return self[start..<(last.map { index(after: $0) } ?? start)]
  }

  fileprivate func dropping(last character: Character) -> SubSequence? {
    last == character ? dropLast() : nil
  }
}
