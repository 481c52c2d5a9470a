import StrataVerbs

extension Laws {
  /// A function that batches single gets into calls to a bulk loader. The window is in
  /// milliseconds, and the limit is the maximum number of gets per call.
  public typealias BulkLoading =
    @Sendable (
      _ window: Int, _ limit: Int, TimeSource,
      _ load: @escaping @Sendable ([Int]) -> Promise<[Int: Int]>
    ) -> Fetcher<Int, Int>

  /// The laws of `Fetcher.bulkLoading(window:limit:)`.
  public static var bulkLoads: Laws {
    bulkLoads { window, limit, time, load in
      .bulkLoading(window: .milliseconds(window), limit: limit, clock: time, load)
    }
  }

  /// Returns laws that check your own function for batching loads.
  public static func bulkLoads(_ batching: @escaping BulkLoading) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ facts: @escaping @Sendable (BulkRun) -> [String]
    ) -> Law {
      Law("batching.\(name)", statement, sentence, draw: { BulkTrial(&$0) }) { trial in
        let (seen, lawful) = (facts(trial.run(batching)), facts(trial.model()))
        guard seen != lawful else { return nil }
        return LawEvidence(left: ("seen", seen), right: ("lawful", lawful))
      }
    }
    return Laws(
      "bulkLoads",
      [
        law(
          "calls", "gets of one window are one call",
          "A call of the loader contains the key of each waiting get once, in the order of the gets.",
          \.calls),
        law(
          "answers", "get k == load([k])[k]",
          "Every get receives its own answer: a value, a miss, or the failure of the loader's call.",
          \.answers),
      ])
  }
}

/// The calls to the loader, and the results of the gets.
struct BulkRun: Sendable {
  var calls: [String] = []
  var answers: [String] = []
}

/// A random sequence of gets, cancellations, and delays for a bulk loader. This loader fails if a
/// call contains the key 7, and has values only for even keys.
private struct BulkTrial: Trial {
  let window: Int
  let limit: Int
  var steps: [Step.Action]

  init(_ random: inout SeededGenerator) {
    window = Int.random(in: 1...3, using: &random)
    limit = Int.random(in: 1...4, using: &random)
    steps = (0..<Int.random(in: 1...14, using: &random)).map { _ in
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6: .get(Int.random(in: 0...7, using: &random))
      case 6, 7: .cancel(Int.random(in: 0...5, using: &random))
      default: .advance(Int.random(in: 1...2, using: &random))
      }
    }
  }

  var simpler: [BulkTrial] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] { ["window \(window) ms, limit \(limit)"] + steps.map(\.description) }

  static func answers(_ keys: [Int]) -> Promise<[Int: Int]> {
    guard !keys.contains(7) else {
      return Promise(error: ScriptError(level: 0, key: 7, isMiss: false))
    }
    let even = Set(keys).filter { $0.isMultiple(of: 2) }
    return Promise(Dictionary(uniqueKeysWithValues: even.map { ($0, $0) }))
  }

  func run(_ batching: Laws.BulkLoading) -> BulkRun {
    let (time, clock) = TimeSource.manual()
    let calls = Lock<[String]>([])
    let fetchers = Handles(
      batching(window, limit, time) { keys in
        calls.withLock { $0.append("call \(keys) at \(time.now().sinceEpoch)") }
        return Self.answers(keys)
      })
    var gets: [Promise<Int>] = []
    for step in steps {
      switch step {
      case .get(let key): gets.append(fetchers[gets.count].get(key))
      case .cancel(let number): if gets.indices.contains(number) { gets[number].cancel() }
      case .advance(let milliseconds): clock.advance(by: .milliseconds(milliseconds))
      default: break
      }
    }
    return BulkRun(calls: calls.withLock { $0 }, answers: gets.map(Self.text))
  }

  private static func text(_ promise: Promise<Int>) -> String {
    promise.outcome.map { "\(LawObservation.Answer($0))" } ?? "no answer"
  }

  /// Runs the trial with the reference implementation: a list of waiting gets, and the time of the
  /// next load.
  func model() -> BulkRun {
    let start = TimeSource.manual().time.now.sinceEpoch
    var run = BulkRun()
    var now = 0
    var due: Int?
    var waiting: [(index: Int, key: Int)] = []
    func call() {
      var keys: [Int] = []
      for (_, key) in waiting where !keys.contains(key) { keys.append(key) }
      run.calls.append("call \(keys) at \(start + .milliseconds(now))")
      for (index, key) in waiting {
        run.answers[index] = Self.text(
          Self.answers(keys).flatMap { Promise($0[key], or: CacheError.notFound) })
      }
      (waiting, due) = ([], nil)
    }
    for step in steps {
      switch step {
      case .get(let key):
        run.answers.append("no answer")
        waiting.append((run.answers.count - 1, key))
        if due == nil { due = now + window }
        if waiting.count == limit { call() }
      case .cancel(let number):
        guard let index = waiting.firstIndex(where: { $0.index == number }) else { continue }
        run.answers[number] = "cancelled"
        waiting.remove(at: index)
        if waiting.isEmpty { due = nil }
      case .advance(let milliseconds):
        let end = now + milliseconds
        if let moment = due, moment <= end {
          now = moment
          call()
        }
        now = end
      default: break
      }
    }
    return run
  }
}
