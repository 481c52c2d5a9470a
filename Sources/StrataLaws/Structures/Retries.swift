import StrataVerbs

extension Laws {
  /// A function that retries each failed get at most `count` times, with a delay between attempts
  /// in milliseconds.
  public typealias Retrying =
    @Sendable (Cache<Int, Int>, _ count: Int, _ milliseconds: Int, TimeSource) -> Cache<Int, Int>

  /// The laws of `retrying(_:every:)`.
  public static var retry: Laws {
    retry { $0.retrying($1, backoff: .constant(.milliseconds($2)), clock: $3) }
  }

  /// Returns laws that check your own function for retrying failed gets.
  public static func retry(_ verb: @escaping Retrying) -> Laws {
    let failing = LawDomain.once.with { $0.keys = 0..<4 }
    return Laws(
      "retry",
      [
        Law("retry.none", "a.retrying(0) == a", "Zero retries have no effect.") {
          verb($0[0] + $0[1], 0, 1, $0.time)
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "retry.answers", "a.retrying(n) == a, if no get fails",
          "A hit or a miss is an answer, so the get isn't retried.",
          in: LawDomain().with { $0.injectsFaults = false }
        ) {
          verb($0[0], 3, 1, $0.time)
        } is: {
          $0[0]
        },
        Law(
          "retry.attempts", "a.retrying(2): at most three calls, and three if all fail",
          "Two retries allow three attempts. No attempt follows a cancelled attempt.",
          in: failing, of: { verb($0[0], 2, 0, $0.time) }, violationsOfAttempts),
        Law(
          "retry.pauses", "attempts are 2 ms apart",
          "Each further attempt begins exactly when its delay ends.",
          in: failing.with { $0.steps = 30 }, of: { verb($0[0], 2, 2, $0.time) },
          violationsOfPauses),
        Law(
          "retry.leaving", "cancel(get): no call follows",
          "A get that is cancelled during a delay makes no further attempt.",
          in: failing.with { $0.steps = 30 }, of: { verb($0[0], 2, 2, $0.time) },
          violationsOfAskingLate),
      ])
  }
}

/// Finds gets with too few or too many attempts.
@Sendable private func violationsOfAttempts(_ program: Program, _ seen: LawObservation)
  -> Violations
{
  var violations = Violations()
  for operation in seen.operations {
    guard case .get(let key) = operation.action else { continue }
    let attempts = seen.histories[0].filter { $0.kind == .asked && $0.call == operation.action }
    let fails = program.scripts[0].getFaults[key] == .failure
    let isOver = operation.settled != nil && !operation.wasCancelled
    let most = fails ? 3 : 1
    if attempts.count > most || isOver && attempts.count < most {
      violations.level(0, "\(operation.action), \(most) times")
    }
  }
  return violations
}

/// Finds attempts that began before their delay had ended, and attempts that didn't begin although
/// it had.
@Sendable private func violationsOfPauses(_ program: Program, _ seen: LawObservation) -> Violations
{
  var violations = Violations()
  let clock = StepTimes(program)
  for operation in seen.operations {
    guard case .get(let key) = operation.action else { continue }
    guard program.scripts[0].getFaults[key] == .failure else { continue }
    let events = seen.histories[0].filter { $0.call == operation.action }
    let asked = events.filter { $0.kind == .asked }.map(\.when)
    let answered = events.filter { $0.kind == .answered }.map(\.when)
    for (failure, next) in zip(answered, asked.dropFirst())
    where clock.after(next) - clock.before(failure) < 2 {
      violations.level(0, "\(operation.action), 2 ms after \(failure)")
    }
    if let last = answered.last, answered.count == asked.count, asked.count < 3,
      operation.settled == nil, clock.total - clock.after(last) >= 2
    {
      violations.level(0, "\(operation.action) again, 2 ms after \(last)")
    }
  }
  return violations
}
