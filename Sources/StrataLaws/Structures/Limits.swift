import StrataVerbs

extension Laws {
  /// A function that limits the number of concurrent gets.
  public typealias Limiting = @Sendable (Cache<Int, Int>, Int) -> Cache<Int, Int>

  /// The laws of `limited(toConcurrentGets:)`.
  public static var limit: Laws { limit { $0.limited(toConcurrentGets: $1) } }

  /// Returns laws that check your own function for limiting concurrent gets.
  public static func limit(_ verb: @escaping Limiting) -> Laws {
    let crowd = LawDomain.once.with { $0.clients = 3 }
    return Laws(
      "limit",
      [
        Law(
          "limit.transparency", "a.limited(toConcurrentGets: .max) == a",
          "A limit that is never reached has no effect."
        ) {
          verb($0[0] + $0[1], .max)
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "limit.sequence", "a.limited(toConcurrentGets: 1) == a, one operation at a time",
          "A limit has no effect if gets don't overlap.",
          in: LawDomain().with {
            $0.isSequential = true
            $0.injectsFaults = false
          }, equality: .answers
        ) {
          verb($0[0], 1)
        } is: {
          $0[0]
        },
        Law(
          "limit.bound", "gets in flight <= 2",
          "The number of gets in flight never exceeds the limit.",
          in: crowd, of: { verb($0[0], 2) }, violationsOfCrowds),
        Law(
          onThreads: "limit.boundOnThreads", "gets in flight <= 2, on threads",
          "With each client on a separate thread, the gets in flight never exceed the limit.",
          in: crowd.with { $0.cancels = false }, of: { verb($0[0], 2) }, violationsOfCrowds),
        Law(
          "limit.order", "get k; get l: k reaches the level before l",
          "Waiting gets reach the level in the order in which they began.",
          in: crowd, of: { verb($0[0], 2) }, violationsOfOvertaking),
        Law(
          "limit.progress", "no get waits while a permit is free",
          "A get that settles or is cancelled frees its permit for the next waiting get.",
          in: crowd, of: { verb($0[0], 2) }, violationsOfIdlePlaces),
        Law(
          "limit.leaving", "cancel(get): no call follows",
          "A get that is cancelled while it waits for a permit doesn't call the level.",
          in: crowd, of: { verb($0[0], 1) }, violationsOfAskingLate),
      ])
  }
}

/// Finds gets that called the level while two other gets were in flight.
@Sendable private func violationsOfCrowds(_ program: Program, _ seen: LawObservation) -> Violations
{
  var violations = Violations()
  var running: Set<Int> = []
  for event in seen.histories[0] {
    if event.kind == .asked { running.insert(event.number) } else { running.remove(event.number) }
    if running.count > 2 { violations.level(0, "\(event.call) at \(event.when) waits") }
  }
  return violations
}

/// Finds gets that overtook another. Gets must call the level in the order in which they began.
@Sendable private func violationsOfOvertaking(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  let asked = seen.histories[0].filter { $0.kind == .asked }.map(\.call)
  let came = seen.operations.map(\.action).filter(asked.contains)
  if asked != came {
    violations.level(0, came.map { "\($0)" }.joined(separator: ", "))
  }
  return violations
}

/// Finds gets that are still waiting at the end of the program, although a permit is free.
@Sendable private func violationsOfIdlePlaces(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  let asked = seen.histories[0].filter { $0.kind == .asked }
  let running = asked.count - seen.histories[0].filter { $0.kind != .asked }.count
  guard running < 2 else { return violations }
  for (index, operation) in seen.operations.enumerated() where operation.settled == nil {
    if !asked.contains(where: { $0.call == operation.action }) {
      violations.operation(index, "\(operation.step). \(operation.action): is called")
    }
  }
  return violations
}
