import StrataVerbs

extension Laws {
  /// A function that chains promises, such as `flatMap`.
  public typealias Bind =
    @Sendable (Promise<Int>, @escaping @Sendable (Int) throws -> Promise<Int>) -> Promise<Int>

  /// The laws of `flatMap`: promises form a monad, and cancelling the result cancels the promise
  /// that is in flight.
  public static var promise: Laws { promise { $0.flatMap($1) } }

  /// Returns laws that check whether your own `flatMap` forms a monad.
  public static func promise(_ bind: @escaping Bind) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ left: @escaping @Sendable (PromiseTrial.Stage) -> Promise<Int>,
      is right: @escaping @Sendable (PromiseTrial.Stage) -> Promise<Int>
    ) -> Law {
      Law("promise.\(name)", statement, sentence, draw: { PromiseTrial(&$0) }) { trial in
        let (left, right) = (trial.seen(left), trial.seen(right))
        return left == right ? nil : LawEvidence(left: ("left", left), right: ("right", right))
      }
    }
    return Laws(
      "promise",
      [
        law(
          "leftIdentity", "Promise(x).flatMap(f) == f(x)",
          "On a promise with a value, `flatMap` equals calling the function with that value."
        ) {
          bind(Promise(7), $0.f)
        } is: { stage in
          (try? stage.f(7)) ?? Promise(error: PromiseTrial.Thrown())
        },
        law(
          "rightIdentity", "p.flatMap(Promise.init) == p",
          "Chaining a function that returns a promise of the same value has no effect."
        ) {
          bind($0.source) { Promise($0) }
        } is: {
          $0.source
        },
        law(
          "associativity", "p.flatMap(f).flatMap(g) == p.flatMap { f($0).flatMap(g) }",
          "Nested and consecutive calls of `flatMap` have equal results, even after a cancellation."
        ) { stage in
          bind(bind(stage.source, stage.f), stage.g)
        } is: { stage in
          bind(stage.source) { bind(try stage.f($0), stage.g) }
        },
        law(
          "map", "p.map(f) == p.flatMap { Promise(f($0)) }",
          "`map` equals `flatMap` with a function that returns a settled promise."
        ) {
          $0.source.map { $0 + 1 }
        } is: {
          bind($0.source) { Promise($0 + 1) }
        },
        law(
          "cancelling", "p.flatMap(f), cancelled, stops p or f(x)",
          "A cancellation reaches the promise in flight, as in the reference implementation."
        ) { stage in
          bind(stage.source, stage.f)
        } is: { stage in
          byHand(stage.source, stage.f)
        },
      ])
  }
}

/// The reference implementation of `flatMap`.
@Sendable private func byHand(
  _ promise: Promise<Int>, _ transform: @escaping @Sendable (Int) throws -> Promise<Int>
) -> Promise<Int> {
  Promise { continuation in
    continuation.onCancel { promise.cancel() }
    promise.onCompletion { outcome in
      guard case .success(let value) = outcome else { return _ = continuation.settle(outcome) }
      do {
        let next = try transform(value)
        continuation.onCancel { next.cancel() }
        next.onCompletion { continuation.settle($0) }
      } catch { continuation.fail(error) }
    }
  }
}
