@testable import Strata

/// Everything that a program learns of a cache: all answers, and what the levels hold at rest.
struct Observation: Equatable, Sendable {
  var answers: [String] = []
  var rest: [ScriptedLevel.Rest] = []
}

extension Observation {
  /// Runs a program over a cache that `build` makes of scripted levels.
  ///
  /// - Parameter isSequential: Whether all comes to rest after each step, so that none overlap.
  init(
    of trial: Trial, isSequential: Bool, _ build: ([Cache<Int, Int>]) -> Cache<Int, Int>
  ) {
    let levels = trial.scripts.enumerated().map { ScriptedLevel($0, $1) }
    let cache = build(levels.map(\.cache))
    var operations: [Operation] = []
    for step in trial.steps {
      switch step {
      case .get(let key): operations.append(.get(cache.get(key)))
      case .set(let key, let value): operations.append(.write(cache.set(key, value)))
      case .remove(let key): operations.append(.write(cache.remove(key)))
      case .clear: operations.append(.write(cache.clear()))
      case .warn: cache.memoryWarning()
      case .settle(let level, let ordinal): levels[level].settle(ordinal)
      case .cancel(let ordinal):
        if !operations.isEmpty { operations[ordinal % operations.count].cancel() }
      }
      if isSequential { Self.bringToRest(levels) }
    }
    Self.bringToRest(levels)
    answers = operations.map(\.answer)
    rest = levels.map(\.rest)
  }

  private static func bringToRest(_ levels: [ScriptedLevel]) {
    var isAtRest = false
    while !isAtRest {
      isAtRest = true
      for level in levels {
        while level.settle(0) { isAtRest = false }
      }
    }
  }

  private enum Operation {
    case get(Promise<Int>)
    case write(Promise<Void>)

    func cancel() {
      switch self {
      case .get(let promise): promise.cancel()
      case .write(let promise): promise.cancel()
      }
    }

    var answer: String {
      switch self {
      case .get(let promise): promise.answer
      case .write(let promise): promise.answer
      }
    }
  }
}

extension Promise {
  /// How it ended, as text: what two caches must agree on.
  var answer: String {
    switch outcome {
    case nil: "no answer"
    case .success(let value): "\(value)"
    case .failure(CacheError.notFound): "not found"
    case .failure(let error): "\(type(of: error)).\(error)"
    case .cancelled: "cancelled"
    }
  }
}
