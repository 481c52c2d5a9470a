import Strata

extension Laws {
  /// A way to bound how long a get takes, in milliseconds.
  public typealias TimeLimiting =
    @Sendable (Cache<Int, Int>, _ milliseconds: Int, TimeSource) -> Cache<Int, Int>

  /// What `timingOut(after:)` promises.
  public static var timeLimit: Laws {
    timeLimit { $0.timingOut(after: .milliseconds($1), on: $2) }
  }

  /// What a time limit promises, of a verb of your own.
  public static func timeLimit(_ verb: @escaping TimeLimiting) -> Laws {
    let waiting = Domain.once.with { $0.steps = 30 }
    let bounded: Build = { verb($0[0], 3, $0.time) }
    return Laws(
      "timeLimit",
      [
        Law(
          "timeLimit.patience", "a.timingOut(after: .max) == a",
          "A limit that is never reached changes nothing."
        ) {
          verb($0[0] + $0[1], 1_000_000_000, $0.time)
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "timeLimit.bound", "get: 3 ms at most",
          "No get is without an answer when its time is over.",
          in: waiting, of: bounded, complaintsOfLateAnswers),
        Law(
          "timeLimit.fairness", "timed out: 3 ms at least",
          "None is given up before its time is over.", in: waiting, of: bounded,
          complaintsOfHaste),
        Law(
          "timeLimit.letting", "timed out: the level's get is cancelled",
          "What is given up is let go of.", in: waiting, of: bounded, complaintsOfWorkLeft),
      ])
  }
}

/// A get that had no answer when its time was over.
@Sendable private func complaintsOfLateAnswers(
  _ program: Program, _ seen: Observation
) -> Complaints {
  var complaints = Complaints()
  let clock = Clock(program)
  for (place, operation) in seen.operations.enumerated() {
    let end = operation.settled.map(clock.before) ?? clock.total
    if end - clock.after(operation.began) >= 3 {
      complaints.operation(place, "\(operation.step). \(operation.action): timed out")
    }
  }
  return complaints
}

/// A get that timed out before its time was over.
@Sendable private func complaintsOfHaste(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  let clock = Clock(program)
  for (place, operation) in seen.operations.enumerated() {
    guard let end = operation.settled, operation.isTimedOut else { continue }
    if clock.after(end) - clock.before(operation.began) < 3 {
      complaints.operation(place, "\(operation.step). \(operation.action): no answer yet")
    }
  }
  return complaints
}

/// A get of the level that goes on although the one that wanted it has timed out.
@Sendable private func complaintsOfWorkLeft(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  for operation in seen.operations where operation.isTimedOut {
    let events = seen.histories[0].filter { $0.call == operation.action }
    if !events.contains(where: { $0.kind == .cancelled }) {
      complaints.level(0, "cancel \(operation.action)")
    }
  }
  return complaints
}

extension Observation.Operation {
  fileprivate var isTimedOut: Bool {
    answer == Observation.Answer(Promise<Int>.Outcome.failure(CacheError.timedOut))
  }
}
