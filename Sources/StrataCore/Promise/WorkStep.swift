/// A step of the work behind a promise. Different steps are stopped in different ways, so each step
/// sets its own cancel handler.
///
/// A step can end on another thread before the thread that began it has set its handler. So steps
/// have an order, and the handler of an earlier step never replaces the handler of a later one.
@usableFromInline
package enum WorkStep: Comparable, Sendable {
  /// The work that the promise begins with: a request, a task, or the wait for another promise.
  case first
  /// An attempt of a loop. Attempts are numbered from one.
  case attempt(Int)
  /// The delay after a failed attempt.
  case pause(after: Int)
  /// The wait for the promise that provides the outcome. See `Pending.follow(_:)`.
  case last

  private var position: (Int, Int) {
    switch self {
    case .first: (0, 0)
    case .attempt(let number): (number, 0)
    case .pause(let number): (number, 1)
    case .last: (.max, 1)
    }
  }

  @usableFromInline
  package static func < (one: WorkStep, other: WorkStep) -> Bool { one.position < other.position }
}
