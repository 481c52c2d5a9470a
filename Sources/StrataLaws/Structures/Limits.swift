import Strata

extension Laws {
  /// A way to bound how many gets are under way.
  public typealias Limiting = @Sendable (Cache<Int, Int>, Int) -> Cache<Int, Int>

  /// What `limited(toConcurrentGets:)` promises.
  public static var limit: Laws { limit { $0.limited(toConcurrentGets: $1) } }

  /// What a limit promises, of a verb of your own.
  public static func limit(_ verb: @escaping Limiting) -> Laws {
    let crowd = Domain.once.with { $0.clients = 3 }
    return Laws(
      "limit",
      [
        Law(
          "limit.transparency", "a.limited(toConcurrentGets: .max) == a",
          "A limit that is never reached changes nothing."
        ) {
          verb($0[0] + $0[1], .max)
        } is: {
          $0[0] + $0[1]
        },
        Law(
          "limit.sequence", "a.limited(toConcurrentGets: 1) == a, one operation at a time",
          "Nor does any limit where nothing overlaps.",
          in: Domain().with {
            $0.isSequential = true
            $0.isTroubled = false
          }, equality: .answers
        ) {
          verb($0[0], 1)
        } is: {
          $0[0]
        },
        Law(
          "limit.bound", "gets under way <= 2", "There are never more gets under way than allowed.",
          in: crowd, of: { verb($0[0], 2) }, complaintsOfCrowds),
        Law(
          onThreads: "limit.boundOnThreads", "gets under way <= 2, on threads",
          "The same when every client has a thread of its own.",
          in: crowd.with { $0.cancels = false }, of: { verb($0[0], 2) }, complaintsOfCrowds),
        Law(
          "limit.order", "get k; get l: k is asked before l",
          "Those who wait are asked in the order in which they came.",
          in: crowd, of: { verb($0[0], 2) }, complaintsOfOvertaking),
        Law(
          "limit.progress", "nobody waits while a place is free",
          "Whoever ends, is cancelled or leaves the queue makes room for the next.",
          in: crowd, of: { verb($0[0], 2) }, complaintsOfIdlePlaces),
        Law(
          "limit.leaving", "cancel(get): nothing is asked after it",
          "A get that is cancelled while it waits asks nothing.",
          in: crowd, of: { verb($0[0], 1) }, complaintsOfAskingLate),
      ])
  }
}

/// A moment with more than two gets under way.
@Sendable private func complaintsOfCrowds(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  var running: Set<Int> = []
  for event in seen.histories[0] {
    if event.kind == .asked { running.insert(event.number) } else { running.remove(event.number) }
    if running.count > 2 { complaints.level(0, "\(event.call) at \(event.when) waits") }
  }
  return complaints
}

/// A get that was asked before one that came earlier.
@Sendable private func complaintsOfOvertaking(
  _ program: Program, _ seen: Observation
) -> Complaints {
  var complaints = Complaints()
  let asked = seen.histories[0].filter { $0.kind == .asked }.map(\.call)
  let came = seen.operations.map(\.action).filter(asked.contains)
  if asked != came {
    complaints.level(0, came.map { "\($0)" }.joined(separator: ", "))
  }
  return complaints
}

/// A get that waits at the end although there is a place.
@Sendable private func complaintsOfIdlePlaces(
  _ program: Program, _ seen: Observation
) -> Complaints {
  var complaints = Complaints()
  let asked = seen.histories[0].filter { $0.kind == .asked }
  let running = asked.count - seen.histories[0].filter { $0.kind != .asked }.count
  guard running < 2 else { return complaints }
  for (place, operation) in seen.operations.enumerated() where operation.settled == nil {
    if !asked.contains(where: { $0.call == operation.action }) {
      complaints.operation(place, "\(operation.step). \(operation.action): is asked")
    }
  }
  return complaints
}
