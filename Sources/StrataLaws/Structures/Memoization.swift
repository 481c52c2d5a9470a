import StrataVerbs

extension Laws {
  /// A function that returns a memoized function over a store.
  public typealias Memoizing =
    @Sendable (
      _ store: Cache<MemoizedCall<Int, Int>, Int>,
      _ function: @escaping @Sendable (Int, Int) async throws -> Int
    ) -> @Sendable (Int, Int) async throws -> Int

  /// The laws of `memoized(in:)`.
  public static var memoization: Laws {
    memoization { store, function in
      let memoized = StrataVerbs.memoized(in: store, function)
      return { try await memoized($0, $1) }
    }
  }

  /// Returns laws that check your own way to memoize a function.
  ///
  /// - Parameters:
  ///   - text: Returns the text of a call, which is the key of its result in a store with string
  ///     keys.
  ///   - memoize: Returns a memoized function.
  public static func memoization(
    text: @escaping @Sendable (MemoizedCall<String, String>) throws -> String = { try $0.text() },
    _ memoize: @escaping Memoizing
  ) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ left: @escaping @Sendable (CallTrial) -> [String],
      is right: @escaping @Sendable (CallTrial) -> [String]
    ) -> Law {
      Law("memoized.\(name)", statement, sentence, draw: { CallTrial(&$0) }) { trial in
        let (left, right) = (left(trial), right(trial))
        return left == right ? nil : LawEvidence(left: ("left", left), right: ("right", right))
      }.waiting
    }
    return Laws(
      "memoized",
      [
        law(
          "function", "memoized(in: .empty)(f) == f",
          "Without a store, a memoized function returns and throws what the function does."
        ) { trial in
          let memoized = memoize(.empty, partial)
          return trial.answers { memoized }
        } is: { trial in
          trial.answers { partial }
        },
        law(
          "sum", "memoized(in: a)(f) == a + Fetcher(f)",
          "A memoized function is called as often as an origin below the store."
        ) { trial in
          let calls = Lock<[String]>([])
          let memoized = memoize(.dictionary()) { first, second in
            calls.withLock { $0.append("f(\(first), \(second))") }
            return try await partial(first, second)
          }
          return trial.answers { memoized } + calls.withLock { $0 }
        } is: { trial in
          var stored: [Call: String] = [:]
          var calls: [String] = []
          let answers = trial.calls.map { call in
            if let answer = stored[call] { return answer }
            calls.append("f(\(call.first), \(call.second))")
            let answer = settled(Promise { try await partial(call.first, call.second) })
            let text = described(answer)
            if answer?.value != nil { stored[call] = text }
            return text
          }
          return answers + calls
        },
        law(
          "apart", "f over a and g over a don't meet",
          "Two functions over one store never return the results of each other."
        ) { trial in
          let store: Cache<MemoizedCall<Int, Int>, Int> = .dictionary()
          let (one, other) = (memoize(store, partial), memoize(store) { $0 * 100 - $1 })
          return trial.answers { one } + trial.answers { other }
        } is: { trial in
          trial.answers { partial } + trial.answers { { $0 * 100 - $1 } }
        },
        Law(
          "memoized.keys", "text(c) == text(d) => c == d",
          "Different calls of a function have different texts.", draw: { TextTrial(&$0) }
        ) { trial in
          let function = memoized(named: "f", in: .empty) { (first: String, _: String) in first }
          let (one, other) = (
            try? text(function.call(trial.one.0, trial.one.1)),
            try? text(function.call(trial.other.0, trial.other.1))
          )
          guard one != nil, one == other, trial.one != trial.other else { return nil }
          return LawEvidence(
            left: ("texts", [one ?? ""]), right: ("lawful", ["two different texts"]))
        },
      ])
  }
}

/// A function that throws for some arguments, and depends on their order.
private let partial: @Sendable (Int, Int) async throws -> Int = { first, second in
  if (first + 2 * second) % 5 == 4 { throw CacheError.notFound }
  return first * 10 + second
}

private func described(_ outcome: Promise<Int>.Outcome?) -> String {
  outcome.map { "\(LawObservation.Answer($0))" } ?? "no answer"
}

private struct Call: Hashable, Sendable {
  let first: Int
  let second: Int
}

/// A sequence of calls.
private struct CallTrial: Trial {
  var calls: [Call]

  init(_ random: inout SeededGenerator) {
    calls = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      Call(first: .random(in: 0..<3, using: &random), second: .random(in: 0..<3, using: &random))
    }
  }

  var simpler: [CallTrial] {
    calls.count > 1 ? withoutEach(\.calls) : []
  }

  var size: Int { calls.count }
  var lines: [String] { calls.map { "f(\($0.first), \($0.second))" } }

  /// Makes the calls one after another. A memoized function doesn't return before its result is
  /// written, so each call can use the results of those before it.
  func answers(_ function: () -> @Sendable (Int, Int) async throws -> Int) -> [String] {
    let function = function()
    return calls.map { call in
      described(settled(Promise { try await function(call.first, call.second) }))
    }
  }
}

/// Two pairs of texts that a careless key would confuse. In half of the trials, both pairs become
/// the same text if a separator joins the two texts of each pair.
private struct TextTrial: Trial {
  let one: (String, String)
  let other: (String, String)

  init(_ random: inout SeededGenerator) {
    let separator = [",", "\"", "\\", "/", "]", "\u{0}", "\n"].randomElement(using: &random) ?? ","
    func text(_ random: inout SeededGenerator) -> String {
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Bool.random(using: &random) ? "a" : separator
      }.joined()
    }
    guard Bool.random(using: &random) else {
      one = (text(&random), text(&random))
      other = (text(&random), text(&random))
      return
    }
    let parts = (0..<3).map { _ in text(&random) }
    one = (parts[0], parts[1] + separator + parts[2])
    other = (parts[0] + separator + parts[1], parts[2])
  }

  var simpler: [TextTrial] { [] }
  var size: Int { 2 }
  var lines: [String] {
    [one, other].map { "f(\($0.0.debugDescription), \($0.1.debugDescription))" }
  }
}
