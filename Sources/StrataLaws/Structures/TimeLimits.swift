import StrataVerbs

extension Laws {
  /// A function that returns a cache whose gets time out after the given number of milliseconds.
  public typealias TimeLimiting =
    @Sendable (Cache<Int, Int>, _ milliseconds: Int, TimeSource) -> Cache<Int, Int>

  /// The laws of `timingOut(after:)`.
  public static var timeLimit: Laws {
    timeLimit { $0.timingOut(after: .milliseconds($1), clock: $2) }
  }

  /// Returns laws that check your own implementation of `timingOut(after:)`.
  public static func timeLimit(_ verb: @escaping TimeLimiting) -> Laws {
    let waiting = LawDomain.once.with { $0.steps = 30 }
    let bounded: LawBuild = { verb($0[0], 3, $0.time) }
    return Laws(
      "timeLimit",
      [
        Law(
          "timeLimit.patience", "a.timingOut(after: .max) == a",
          "A limit that is never reached has no effect."
        ) {
          verb($0[0] + $0[1], 1_000_000_000, $0.time)
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "timeLimit.bound", "get: at most 3 ms",
          "Every get settles before its time limit has passed.",
          in: waiting, of: bounded, violationsOfLateAnswers),
        Law(
          "timeLimit.fairness", "timed out: at least 3 ms",
          "No get times out before its time limit.", in: waiting, of: bounded,
          violationsOfHaste),
        Law(
          "timeLimit.letting", "timed out: the level's get is cancelled",
          "When a get times out, the level's get is cancelled too.", in: waiting, of: bounded,
          violationsOfWorkLeft),
      ])
  }
}

/// Finds gets that haven't settled by their time limit.
@Sendable private func violationsOfLateAnswers(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  let clock = StepTimes(program)
  for (index, operation) in seen.operations.enumerated() {
    let end = operation.settled.map(clock.before) ?? clock.total
    if end - clock.after(operation.began) >= 3 {
      violations.operation(index, "\(operation.step). \(operation.action): timed out")
    }
  }
  return violations
}

/// Finds gets that timed out before their time limit.
@Sendable private func violationsOfHaste(_ program: Program, _ seen: LawObservation) -> Violations {
  var violations = Violations()
  let clock = StepTimes(program)
  for (index, operation) in seen.operations.enumerated() {
    guard let end = operation.settled, operation.isTimedOut else { continue }
    if clock.after(end) - clock.before(operation.began) < 3 {
      violations.operation(index, "\(operation.step). \(operation.action): no answer yet")
    }
  }
  return violations
}

/// Finds gets that timed out without cancelling their call to the level.
@Sendable private func violationsOfWorkLeft(_ program: Program, _ seen: LawObservation)
  -> Violations
{
  var violations = Violations()
  for operation in seen.operations where operation.isTimedOut {
    let events = seen.histories[0].filter { $0.call == operation.action }
    if !events.contains(where: { $0.kind == .cancelled }) {
      violations.level(0, "cancel \(operation.action)")
    }
  }
  return violations
}

extension LawObservation.Operation {
  fileprivate var isTimedOut: Bool { answer.isTimedOut }
}

extension LawObservation.Answer {
  /// Whether the operation failed because it timed out.
  var isTimedOut: Bool {
    if case .failure(let text) = self { text.contains("timed out") } else { false }
  }
}
