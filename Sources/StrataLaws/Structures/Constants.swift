import StrataVerbs

extension Laws {
  /// The laws of the levels `.constant` and `.failing` in a sum.
  public static var constants: Laws {
    constants({ .constant($0) }, failing: { .failing($0) })
  }

  /// Returns laws that check your own versions of `.constant` and `.failing`.
  ///
  /// - Parameters:
  ///   - constant: A function that returns a level with a constant value.
  ///   - failing: A function that returns a level whose operations fail with the given error.
  public static func constants(
    _ constant: @escaping @Sendable (Int) -> Cache<Int, Int>,
    failing: @escaping @Sendable (any Error) -> Cache<Int, Int>
  ) -> Laws {
    let alone = LawDomain().with { $0.isSequential = true }
    let reading = LawDomain().with { $0.writes = false }
    let error = ScriptError(level: 9, key: nil, isMiss: false)
    return Laws(
      "constants",
      [
        Law(
          "constant.above", "get(.constant(x) + a) == x",
          "A get of a sum never calls a level below a constant.",
          in: alone, equality: .answers
        ) {
          constant(7) + $0[0]
        } is: { levels in
          levels[0].answering { _ in Promise(7) }
        },
        Law(
          "constant.beneath", "a + .constant(x): x replaces every failure",
          "A constant at the bottom of a sum replaces every failure with its value.", in: reading
        ) {
          $0[0].fetcher + constant(7)
        } is: { levels in
          levels[0].fetcher.answering { levels[0].get($0).recover { _ in Promise(7) } }
        },
        Law(
          "failing.above", ".failing(e).fetcher + a: a's value, or the more informative error",
          "After a failure, a sum reads the next level, and reports the more informative error.",
          in: reading
        ) {
          failing(error).fetcher + $0[0]
        } is: { levels in
          levels[0].answering { key in
            levels[0].get(key).recover { Promise(error: $0.isMiss ? error : $0) }
          }
        },
        Law(
          "failing.beneath", "a + .failing(notFound).fetcher == a",
          "A level that always misses has no effect at the bottom of a sum."
        ) {
          $0[0] + failing(CacheError.notFound).fetcher
        } is: {
          $0[0] + Fetcher { _ in Promise(error: CacheError.notFound) }
        },
        Law(
          "failing.writes", "write(.failing(e) + a) fails with e, and reaches a",
          "A write to a failing level fails, but the level below still receives the write.",
          in: alone
        ) {
          failing(error) + $0[0]
        } _: {
          violationsOfWritesThatWork($0, $1, failingWith: error)
        },
      ])
  }
}

extension Cache {
  /// Returns a copy of this cache with a different `get` function.
  fileprivate func answering(_ get: @escaping @Sendable (Key) -> Promise<Value>) -> Cache {
    Cache(get: get, set: set, remove: remove, clear: clear, memoryWarning: memoryWarning)
  }
}

/// Finds writes that didn't fail with the given error, or that the next level didn't receive.
private func violationsOfWritesThatWork(
  _ program: Program, _ seen: LawObservation, failingWith error: ScriptError
) -> Violations {
  var violations = Violations()
  let lawful = LawObservation.Answer(Promise<Int>.Outcome.failure(error))
  let asked = seen.histories[0].filter { $0.kind == .asked }.map(\.call)
  for (index, operation) in seen.operations.enumerated() {
    if case .get = operation.action { continue }
    if case .warn = operation.action { continue }
    let isWaiting = operation.answer == .none || operation.wasCancelled
    if !isWaiting, operation.answer != lawful {
      violations.operation(index, "\(operation.step). \(lawful)")
    }
    if !asked.contains(operation.action) { violations.level(0, "\(operation.action)") }
  }
  return violations
}
