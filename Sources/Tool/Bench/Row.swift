/// The measurements of one case.
struct Row: Sendable {
  let group: Group
  let benchmark: String
  let subject: String
  let figure: Spread
  /// The ratio of the measurement to the baseline, as a spread across all rounds. For the baseline,
  /// it's 1.
  var ratio: Spread
  /// The number of allocations per operation, or `nil` if counting isn't supported.
  let allocations: Double?
  let bytes: Double?
  let checks: [Check]
  /// A description of a fault during the measurement, or `nil` if there was no fault.
  var fault: String?
  /// The unit of the measurement.
  var unit = Unit.time

  /// The unit of a measurement.
  enum Unit: String, Sendable {
    case time = "nanoseconds an operation"
    case bytes = "bytes an entry"
    /// A percentage of all gets, used for hit ratios.
    case points = "percentage points"
    case times = "times as much"
    case sleeps = "sleeps an operation"
  }

  /// A target, and the measurement that is compared with the target.
  struct Check: Sendable {
    let target: Target
    let figure: Double?
    var verdict: Verdict { target.verdict(figure) }
  }

  /// The worst verdict of all checks, or `nil` if there are no checks. If the row has a fault, the
  /// verdict is always `missed`.
  var verdict: Verdict? { fault == nil ? checks.map(\.verdict).max() : .missed }
}
