import StrataVerbs

/// What can be observed while a program runs: the results of all operations, and the calls and the
/// final contents of each level.
public struct LawObservation: Equatable, Sendable {
  /// An operation of the program and its result.
  package struct Operation: Equatable, Sendable {
    /// The number of the operation's step, counted from one.
    package let step: Int
    /// The client that began the operation.
    package let client: Int
    /// The kind of operation.
    package let action: Step.Action
    /// The time at which the operation began.
    package internal(set) var began: Int
    /// The time at which the operation settled, or `nil` if it hasn't settled.
    package internal(set) var settled: Int?
    /// The result of the operation.
    package internal(set) var answer = Answer.none
    /// The number of times that the operation settled. More than one is a violation.
    package internal(set) var settlements = 0
    /// Whether the program cancelled the operation before the operation settled.
    package internal(set) var wasCancelled = false

    /// Creates an operation. By default, the operation hasn't settled.
    init(
      step: Int, client: Int = 0, action: Step.Action, began: Int = 0, settled: Int? = nil,
      answer: Answer = .none, settlements: Int = 0
    ) {
      (self.step, self.client, self.action, self.began) = (step, client, action, began)
      (self.settled, self.answer, self.settlements) = (settled, answer, settlements)
    }
  }

  /// The operations in step order.
  package internal(set) var operations: [Operation] = []
  /// The events of each level.
  var histories: [[ScriptedLevel.Event]] = []
  /// The contents of each level after all slow operations have settled.
  package internal(set) var rest: [ScriptedLevel.Rest] = []
}

extension LawObservation {
  /// The result of an operation. Errors are stored as text.
  package enum Answer: Equatable, Sendable {
    /// The operation hasn't settled.
    case none
    /// A get returned a value.
    case value(Int)
    /// A write succeeded.
    case done
    /// The operation missed. Its text describes the error.
    case miss(String)
    /// The operation failed. Its text describes the error.
    case failure(String)
    /// The operation was cancelled.
    case cancelled

    /// The value that a get returned.
    package var value: Int? { if case .value(let value) = self { value } else { nil } }
  }

  /// The parts of two observations that must be equal.
  public enum Equality: Equatable, Sendable {
    /// Both observations must have the same results, times, calls to the levels, and final contents
    /// of the levels.
    case full
    /// Both observations must have the same results and final contents of the levels. Times and
    /// calls to the levels may differ.
    case answers
  }

  /// Returns the parts of the observation that the given equality compares.
  func reduced(to equality: Equality) -> LawObservation {
    guard equality == .answers else { return self }
    var reduced = self
    reduced.histories = []
    for index in operations.indices {
      // An async function throws this error to pass a cancellation on.
      if operations[index].answer == Answer(Promise<Int>.Outcome.failure(CancellationError())) {
        reduced.operations[index].answer = .cancelled
      }
      reduced.operations[index].began = 0
      reduced.operations[index].settled = nil
    }
    return reduced
  }

  /// The facts, one per line.
  var lines: [String] {
    operations.map(\.description)
      + histories.enumerated().map { level, events in
        let asked = events.map { "\($0) at \($0.when)" }.joined(separator: ", ")
        return "level \(level) saw: " + (asked.isEmpty ? "nothing" : asked)
      }
      + rest.enumerated().map { "level \($0) holds \($1) at rest" }
  }
}

extension LawObservation.Operation: CustomStringConvertible {
  /// The operation, its result, and the time at which it settled.
  package var description: String {
    let time = settled.map { " at \($0)" } ?? ""
    let often = settlements > 1 ? ", \(settlements) times" : ""
    return "\(step). \(action): \(answer)\(time)\(often)"
  }
}

extension LawObservation.Answer: CustomStringConvertible {
  /// The result as text.
  package var description: String {
    switch self {
    case .none: "no answer"
    case .value(let value): "\(value)"
    case .done: "done"
    case .miss(let error), .failure(let error): error
    case .cancelled: "cancelled"
    }
  }

  init<Value>(_ outcome: Promise<Value>.Outcome) {
    switch outcome {
    case .success(let value as Int): self = .value(value)
    case .success: self = .done
    case .failure(let error):
      let text =
        switch error as? CacheError {
        case .notFound: "not found"
        // Even a verb without any other effect may change the name of the level in this error.
        case .unsettled: "unsettled"
        default: "\(type(of: error)).\(BoundedText.of(error))"
        }
      self = error.isMiss ? .miss(text) : .failure(text)
    case .cancelled: self = .cancelled
    }
  }
}
