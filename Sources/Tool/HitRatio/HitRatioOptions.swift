/// The options of `hitratio`.
struct HitRatioOptions: Equatable {
  var traces: [String] = []
  var capacities: [TraceCapacity] = []
  /// The requested policies, or `nil` for the default policies of each trace.
  var policies: [Policy]?
  var seed = 6
  var isSized = false
  var isCSV = false
  var svg: OutputFile?

  init(_ arguments: [String]) throws {
    var reader = ArgumentReader(arguments)
    var selected: [Policy] = []
    while let argument = try reader.next() {
      switch argument {
      case "--capacity": capacities += try reader.list(after: argument).map(TraceCapacity.init)
      case "--policy": selected += try reader.list(after: argument).map(Self.policy)
      case "--seed": seed = try reader.number(after: argument, in: 0...Int.max)
      case "--sizes": isSized = true
      case "--csv": isCSV = true
      case "--svg": svg = try reader.file(after: argument)
      case "-": traces.append(argument)
      case _ where argument.hasPrefix("-"):
        throw UsageError.argument(argument, of: "hitratio")
      default: traces.append(argument)
      }
    }
    if !selected.isEmpty { policies = Policy.allCases.filter(selected.contains) }
    guard !traces.isEmpty else {
      throw UsageError.value(
        "", of: "hitratio", expected: "a trace: a file, - for standard input, or a name like @zipf")
    }
    guard traces.count(where: { $0 == "-" }) <= 1 else {
      throw UsageError.excess("-", of: "hitratio", limit: "one trace from standard input")
    }
  }

  /// The requested capacities, or the default capacities if no capacity was requested.
  /// By default, a table shows 5 capacities, and a chart shows 12 capacities.
  var effectiveCapacities: [TraceCapacity] {
    if !capacities.isEmpty { return capacities }
    let parts: [Double] =
      svg == nil ? [2, 5, 10, 20, 40] : [1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 80]
    return parts.map(TraceCapacity.percent)
  }

  /// Returns the requested policies that support the trace. When none were requested, these are the
  /// default policies for the trace.
  func policies(for trace: RequestTrace) throws -> [Policy] {
    guard let policies else { return trace.sizes == nil ? Policy.unsized : Policy.sized }
    guard trace.sizes != nil else { return policies }
    let sized = policies.filter(Policy.sized.contains)
    guard !sized.isEmpty else {
      let known = Policy.sized.map(\.rawValue).joined(separator: ", ")
      throw UsageError.value(
        policies[0].rawValue, of: "--policy", expected: "one of \(known) for sizes")
    }
    return sized
  }

  private static func policy(_ name: String) throws -> Policy {
    guard let policy = Policy(named: name) else {
      let known = Policy.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError.value(name, of: "--policy", expected: "one of \(known)")
    }
    return policy
  }
}

/// The capacity of a cache.
enum TraceCapacity: Equatable, Sendable {
  case entries(Int)
  /// A percentage of the distinct keys, or of their total size if the trace has sizes. It's above 0
  /// and at most 100.
  case percent(Double)

  /// Parses text such as `2000`, `10%`, or `0.5%`.
  init(_ text: String) throws {
    if text.hasSuffix("%"), let part = Double(text.dropLast()), part > 0, part <= 100 {
      self = .percent(part)
    } else if let count = Int(text), count > 0 {
      self = .entries(count)
    } else {
      throw UsageError.value(
        text, of: "--capacity",
        expected: "a number of entries, 1 or more, or a share of the keys such as 10%, up to 100%")
    }
  }

  /// Returns the capacity of a cache for a trace. It's at least 1.
  ///
  /// - Parameter keys: The number of distinct keys in the trace, or their total size if the trace
  ///   has sizes.
  func entries(of keys: Int) -> Int {
    switch self {
    case .entries(let count): count
    case .percent(let part): max(1, Int((Double(keys) * part / 100).rounded()))
    }
  }
}
