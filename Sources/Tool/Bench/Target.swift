/// What a figure has to reach, and what it should.
struct Target: Equatable, Sendable {
  enum Measure: Equatable, Sendable {
    /// The time as a multiple of another subject's in the same round; of the baseline's if `nil`.
    case ratio(to: String?)
    /// How many nanoseconds each of so many steps adds to another subject's time.
    case added(to: String, steps: Int)
    /// Allocations an operation.
    case allocations
    /// Bytes an entry.
    case bytes
    /// The figure of the row itself.
    case figure(Row.Unit)
  }

  let measure: Measure
  /// Not met above this.
  let must: Double
  /// As good as is hoped for, at or below this.
  let aim: Double

  static func ratio(to other: String? = nil, must: Double, aim: Double) -> Target {
    Target(measure: .ratio(to: other), must: must, aim: aim)
  }

  /// At most 5 ns for each further level or map, 2.5 if it can be.
  static func added(to other: String, steps: Int) -> Target {
    Target(measure: .added(to: other, steps: steps), must: 5, aim: 2.5)
  }

  static func allocations(must: Double = 0, aim: Double = 0) -> Target {
    Target(measure: .allocations, must: must, aim: aim)
  }
}

/// How a figure stands against its target.
enum Verdict: String, Comparable, Sendable, Codable {
  case aim, must, missed, unknown

  private var rank: Int {
    switch self {
    case .aim: 0
    case .unknown: 1
    case .must: 2
    case .missed: 3
    }
  }

  /// The better one is less.
  static func < (one: Verdict, other: Verdict) -> Bool { one.rank < other.rank }
}

extension Target {
  /// A hundredth of an allocation is what else goes on in the process.
  func verdict(_ figure: Double?) -> Verdict {
    guard let figure else { return .unknown }
    let slack = measure == .allocations ? 0.01 : 0
    return figure <= aim + slack ? .aim : figure <= must + slack ? .must : .missed
  }

  /// A figure beside what is asked of it: `0.9x the baseline (must 1x, aim 0.6x)`.
  func sentence(_ figure: Double?) -> String {
    if case .figure(let unit) = measure {
      let figure = figure.map(unit.shown) ?? "not counted"
      return "\(figure) (must \(unit.shown(must)), aim \(unit.shown(aim)))"
    }
    let figure = figure.map(\.brief) ?? "not counted"
    let (what, unit) =
      switch measure {
      case .ratio(let other): (" \(other ?? "the baseline")", "x")
      case .added(let other, let steps): (" over \(other), each of \(steps)", " ns")
      case .allocations: (" an operation", " allocations")
      case .bytes, .figure: (" an entry", " bytes")
      }
    let bounds =
      must == aim ? "must \(must.brief)" : "must \(must.brief)\(unit), aim \(aim.brief)\(unit)"
    return "\(figure)\(unit)\(what) (\(bounds))"
  }
}
