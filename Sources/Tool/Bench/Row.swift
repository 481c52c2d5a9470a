/// What was found about one subject.
struct Row: Sendable {
  let group: Group
  let contest: String
  let subject: String
  let figure: Spread
  /// The figure over the baseline's, round by round; 1 for the baseline.
  var ratio: Spread
  /// Of one operation; `nil` where the heap is not counted.
  let allocations: Double?
  let bytes: Double?
  let checks: [Check]
  /// What went wrong while it was measured.
  var fault: String?
  /// Of the figure.
  var unit = Unit.time

  /// What a figure counts.
  enum Unit: String, Sendable {
    case time = "nanoseconds an operation"
    case bytes = "bytes an entry"
    /// Hundredths of all gets.
    case points = "percentage points"
    case times = "times as much"
  }

  /// A target, and the figure that stands against it.
  struct Check: Sendable {
    let target: Target
    let figure: Double?
    var verdict: Verdict { target.verdict(figure) }
  }

  /// The worst of all verdicts; `nil` if nothing is asked.
  var verdict: Verdict? { fault == nil ? checks.map(\.verdict).max() : .missed }
}
