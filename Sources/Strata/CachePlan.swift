/// The static description of a cache: which levels it has and how they are put together.
///
/// A tree that the operators build. Its text is the pipeline as an expression, with as few
/// parentheses as the operators need; ``tree``, ``mermaid``, ``svg`` and ``json`` are other forms
/// of it, and ``advice`` is what a reviewer would say of it.
///
///     let pages: Cache<URL, String> =
///       .memory() + (\.absoluteString <^> .disk() <*> .utf8 + .network() <*> .utf8).pooled()
///     print(pages.plan)
///     // memory(1000) + (keys <^> disk(100 MB) <*> utf8 + network <*> utf8).pooled()
///
/// - Law: `((a + b) + c).plan == (a + (b + c)).plan`; see
///   `CachePlanTests.testBracketsLeaveNoTraceInThePlan`.
public indirect enum CachePlan: Equatable, Sendable {
  /// A cache that stores or fetches by itself, with what bounds it.
  case level(String, detail: String? = nil, types: Types? = nil)
  /// Levels one above another, the upper-most first.
  case sum([CachePlan])
  /// A cache seen through a function of its keys.
  case mappedKeys(CachePlan, label: String = "keys", types: Types? = nil)
  /// A cache seen through a codec of its values.
  case mappedValues(CachePlan, label: String, types: Types? = nil)
  /// Caches side by side, each key in one of them.
  case lanes([CachePlan])
  /// A cache with a verb on it.
  case verb(CachePlan, name: String, arguments: String = "", types: Types? = nil)

  /// What goes into a cache and what comes out of it, as text.
  public struct Types: Equatable, Sendable {
    /// The type of the keys: `URL`.
    public let key: String
    /// The type of the values: `Array<String>`.
    public let value: String

    /// Makes a pair of the names of two types.
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }
}

extension CachePlan {
  /// The members of a sum, or the plan itself: a sum within a sum leaves no trace.
  var summands: [CachePlan] {
    guard case .sum(let members) = self else { return [self] }
    return members
  }

  /// This plan with types at its root where it has none; sums and lanes have those of their
  /// members.
  func typed(_ types: Types) -> CachePlan {
    switch self {
    case .level(let name, let detail, nil): .level(name, detail: detail, types: types)
    case .mappedKeys(let plan, let label, nil): .mappedKeys(plan, label: label, types: types)
    case .mappedValues(let plan, let label, nil): .mappedValues(plan, label: label, types: types)
    case .verb(let plan, let name, let arguments, nil):
      .verb(plan, name: name, arguments: arguments, types: types)
    default: self
    }
  }
}

extension CachePlan: CustomStringConvertible {
  /// The pipeline as an expression.
  ///
  /// - Complexity: O(n) in the number of nodes, as of every other form.
  public var description: String { normalized.fold(Self.expression).text }

  private enum Binding: Int { case sum, values, keys, member }

  /// The text of a node, of the texts of its parts.
  private static func expression(
    _ plan: CachePlan, _ parts: [(text: String, binding: Binding)]
  ) -> (text: String, binding: Binding) {
    func part(_ outer: Binding) -> String {
      parts[0].binding.rawValue >= outer.rawValue ? parts[0].text : "(\(parts[0].text))"
    }
    let texts = parts.map(\.text)
    return switch plan {
    case .level(let name, let detail, _): (name + (detail.map { "(\($0))" } ?? ""), .member)
    case .sum: (texts.joined(separator: " + "), .sum)
    case .mappedKeys(_, let label, _): ("\(label) <^> \(part(.keys))", .keys)
    case .mappedValues(_, let label, _): ("\(part(.values)) <*> \(label)", .values)
    case .lanes: ("switching(\(texts.joined(separator: ", ")))", .member)
    case .verb(_, let name, let arguments, _):
      ("\(part(.member)).\(name)(\(arguments))", .member)
    }
  }

  /// A number of bytes as a person writes it, exact: `100 MB`, `64 MiB`, `1000 B`.
  static func bytes(_ count: Int) -> String {
    let units = [
      ("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000),
      ("KiB", 1 << 10), ("kB", 1000),
    ]
    let unit = units.first { count >= $0.1 && count.isMultiple(of: $0.1) } ?? ("B", 1)
    return "\(count / unit.1) \(unit.0)"
  }
}
