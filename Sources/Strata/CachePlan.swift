/// The static description of a cache: which levels it has and how they are put together.
///
/// A tree that the operators build. Its text is the pipeline as an expression, with as few
/// parentheses as the operators need:
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
  case level(String, detail: String? = nil)
  /// Levels one above another, the upper-most first.
  case sum([CachePlan])
  /// A cache seen through a function of its keys.
  case mappedKeys(CachePlan, label: String = "keys")
  /// A cache seen through a codec of its values.
  case mappedValues(CachePlan, label: String)
  /// Caches side by side, each key in one of them.
  case lanes([CachePlan])
  /// A cache with a verb on it.
  case verb(CachePlan, name: String, arguments: String = "")
}

extension CachePlan {
  /// The members of a sum, or the plan itself: a sum within a sum leaves no trace.
  var summands: [CachePlan] {
    guard case .sum(let members) = self else { return [self] }
    return members
  }
}

extension CachePlan: CustomStringConvertible {
  /// The pipeline as an expression.
  public var description: String {
    switch self {
    case .level(let name, let detail): name + (detail.map { "(\($0))" } ?? "")
    case .sum(let members): members.map(\.description).joined(separator: " + ")
    case .mappedKeys(let plan, let label): "\(label) <^> \(plan.text(binding: .keys))"
    case .mappedValues(let plan, let label): "\(plan.text(binding: .values)) <*> \(label)"
    case .lanes(let plans):
      "switching(\(plans.map(\.description).joined(separator: ", ")))"
    case .verb(let plan, let name, let arguments):
      "\(plan.text(binding: .member)).\(name)(\(arguments))"
    }
  }

  private enum Binding: Int { case sum, values, keys, member }

  private var binding: Binding {
    switch self {
    case .level, .verb, .lanes: .member
    case .mappedKeys: .keys
    case .mappedValues: .values
    case .sum: .sum
    }
  }

  private func text(binding outer: Binding) -> String {
    binding.rawValue >= outer.rawValue ? description : "(\(description))"
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
