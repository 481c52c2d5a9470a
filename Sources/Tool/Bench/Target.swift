/// The bounds for a measurement: the required maximum and the desired maximum.
struct Target: Equatable, Sendable {
  enum Measure: Equatable, Sendable {
    /// The ratio to the measurement of a named case in the same round, or to the baseline if the
    /// name is `nil`.
    case ratio(to: String?)
    /// The additional nanoseconds per step, compared with the case named `to`. For example, each
    /// additional cache level is a step.
    ///
    /// The shortest times of both cases are compared. A processor whose core has another busy
    /// thread takes twice as long for the same work, for seconds. Medians would compare rounds with
    /// such a neighbor with others, and find a difference even if a step takes no time.
    case added(to: String, steps: Int)
    /// The number of allocations per operation.
    case allocations
    /// The number of bytes per entry.
    case bytes
    /// The row's main measurement, in the given unit.
    case figure(Row.Unit)
  }

  let measure: Measure
  /// The required maximum.
  let must: Double
  /// The desired maximum.
  let aim: Double

  static func ratio(to other: String? = nil, must: Double, aim: Double) -> Target {
    Target(measure: .ratio(to: other), must: must, aim: aim)
  }

  /// Returns a target for the nanoseconds that each additional level or mapping takes.
  static func added(
    to other: String, steps: Int, must: Double = 5, aim: Double = 2.5
  ) -> Target {
    Target(measure: .added(to: other, steps: steps), must: must, aim: aim)
  }

  static func allocations(must: Double = 0, aim: Double = 0) -> Target {
    Target(measure: .allocations, must: must, aim: aim)
  }
}

/// The result of comparing a measurement with its target.
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

  /// Orders verdicts from best to worst.
  static func < (one: Verdict, other: Verdict) -> Bool { one.rank < other.rank }
}

extension Target {
  /// Returns the verdict on a measurement. Up to 0.01 allocations per operation are tolerated,
  /// because other threads might also allocate.
  func verdict(_ figure: Double?) -> Verdict {
    guard let figure else { return .unknown }
    let slack = measure == .allocations ? 0.01 : 0
    return figure <= aim + slack ? .aim : figure <= must + slack ? .must : .missed
  }

  /// Returns a measurement and its target as text, such as `0.9x the baseline (must 1x, aim 0.6x)`.
  func sentence(_ figure: Double?) -> String {
    if case .figure(let unit) = measure {
      let figure = figure.map(unit.shown) ?? "not counted"
      return "\(figure) (must \(unit.shown(must)), aim \(unit.shown(aim)))"
    }
    let (what, unit) =
      switch measure {
      case .ratio(let other): (" \(other ?? "the baseline")", "x")
      case .added(let other, let steps): (" per step over \(other), in \(steps) steps", " ns")
      case .allocations: (" an operation", " allocations")
      case .bytes, .figure: (" an entry", " bytes")
      }
    let bounds =
      must == aim ? "must \(must.brief)" : "must \(must.brief)\(unit), aim \(aim.brief)\(unit)"
    return (figure.map { "\($0.brief)\(unit)\(what)" } ?? "not counted") + " (\(bounds))"
  }
}
