import StrataVerbs

/// A random input for the laws of `flatMap`: a promise, two functions that return promises, and the
/// steps that settle or cancel the promises.
struct PromiseTrial: Trial {
  enum Kind: CaseIterable, Sendable {
    case value, failure, cancellation, throwing, laterValue, laterFailure, silence
  }

  enum Step: Equatable, Sendable {
    case answer(Int)
    case cancel
  }

  struct Thrown: Error {}

  var kinds: [Kind]
  var steps: [Step]

  init(_ random: inout SeededGenerator) {
    kinds = (0..<3).map { _ in
      Bool.random(using: &random) ? .laterValue : Kind.allCases.randomElement(using: &random)!
    }
    steps = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      let number = Int.random(in: 0..<4, using: &random)
      return number == 3 ? .cancel : .answer(number)
    }
  }

  var simpler: [PromiseTrial] {
    var all = withoutEach(\.steps)
    for index in kinds.indices where kinds[index] != .value {
      var trial = self
      trial.kinds[index] = .value
      all.append(trial)
    }
    return all
  }

  var size: Int { steps.count }

  var lines: [String] {
    ["source: \(kinds[0])", "f: \(kinds[1])", "g: \(kinds[2])"]
      + steps.map { step in
        switch step {
        case .answer(let part): "\(["source", "f", "g"][part]) answers"
        case .cancel: "cancel the result"
        }
      }
  }

  /// Runs the steps on the promise that `build` creates, and returns a report with one fact per
  /// line. It contains the promise's outcome at first and after each step, the number of
  /// settlements, and the log of the stage.
  func seen(_ build: (Stage) -> Promise<Int>) -> [String] {
    let stage = Stage(kinds: kinds)
    let result = build(stage)
    let settlements = Lock(0)
    result.observed { _ in settlements.withLock { $0 += 1 } }
    func now() -> String { result.outcome.map { "\(LawObservation.Answer($0))" } ?? "no answer" }
    var lines = ["at first: \(now())"]
    for (number, step) in steps.enumerated() {
      switch step {
      case .answer(let part): stage.answer(part)
      case .cancel: result.cancel()
      }
      lines.append("after step \(number + 1): \(now())")
    }
    return lines + ["settled \(settlements.withLock { $0 }) times"] + stage.calls
  }
}

extension PromiseTrial {
  /// One side of a law: the source promise, the two functions, and a log of all calls and
  /// cancellations.
  final class Stage: Sendable {
    private struct State {
      var waiting: [Int: Promise<Int>.Continuation] = [:]
      var calls: [String] = []
    }

    private let kinds: [Kind]
    private let state = Lock(State())

    init(kinds: [Kind]) { self.kinds = kinds }

    var calls: [String] { state.withLock { $0.calls } }

    var source: Promise<Int> { (try? promise(0, of: 7)) ?? Promise(error: Thrown()) }

    var f: @Sendable (Int) throws -> Promise<Int> { { try self.promise(1, of: $0 + 1) } }

    var g: @Sendable (Int) throws -> Promise<Int> { { try self.promise(2, of: $0 * 2) } }

    func answer(_ part: Int) {
      guard kinds[part] != .silence else { return }
      let continuation = state.withLock { $0.waiting.removeValue(forKey: part) }
      if kinds[part] == .laterFailure { continuation?.fail(Thrown()) }
      continuation?.succeed(part == 0 ? 7 : part * 100)
    }

    private func promise(_ part: Int, of value: Int) throws -> Promise<Int> {
      note("\(["source", "f", "g"][part]) of \(value)")
      switch kinds[part] {
      case .value: return Promise(value)
      case .failure: return Promise(error: CacheError.notFound)
      case .cancellation: return .cancelled
      case .throwing: throw Thrown()
      case .laterValue, .laterFailure, .silence:
        return Promise { continuation in
          continuation.onCancel { self.note("cancel \(part)") }
          state.withLock { $0.waiting[part] = continuation }
        }
      }
    }

    private func note(_ call: String) { state.withLock { $0.calls.append(call) } }
  }
}
