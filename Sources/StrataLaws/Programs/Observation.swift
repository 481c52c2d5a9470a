import Strata

/// Everything that a program learns of a cache: all answers, what the levels were asked and when,
/// and what they hold at rest.
public struct Observation: Equatable, Sendable {
  /// One operation of the program, and what became of it.
  public struct Operation: Equatable, Sendable {
    /// The number of its step, counted from one.
    public let step: Int
    /// Who began it.
    public let client: Int
    /// What it was.
    public let action: Step.Action
    /// The moment it began.
    public internal(set) var began: Int
    /// The moment it settled, if it did.
    public internal(set) var settled: Int?
    /// How it ended.
    public internal(set) var answer = Answer.none
    /// How often it settled: once, or never.
    public internal(set) var settlements = 0
    /// Whether the program cancelled it before it had settled.
    public internal(set) var wasCancelled = false
  }

  /// The operations in the order of their steps.
  public internal(set) var operations: [Operation] = []
  /// What happened to each level.
  var histories: [[ScriptedLevel.Event]] = []
  /// What each level holds at rest.
  public internal(set) var rest: [ScriptedLevel.Rest] = []
}

extension Observation {
  /// How an operation ended, without the identity of its error.
  public enum Answer: Equatable, Sendable {
    /// It has not.
    case none
    /// With a value.
    case value(Int)
    /// A write has settled.
    case done
    /// There is no value; with the error as text.
    case miss(String)
    /// Something broke; with the error as text.
    case failure(String)
    /// Nobody wants to know any more.
    case cancelled
  }

  /// How exactly two observations have to agree.
  public enum Equality: Equatable, Sendable {
    /// In everything: answers and their moments, what levels are asked and when, contents at rest.
    case full
    /// In answers and contents at rest, however often and whenever levels are asked.
    case answers
  }

  /// The observation as far as it counts.
  func reduced(to equality: Equality) -> Observation {
    guard equality == .answers else { return self }
    var reduced = self
    reduced.histories = []
    for place in operations.indices {
      reduced.operations[place].began = 0
      reduced.operations[place].settled = nil
    }
    return reduced
  }

  /// The facts, a line each.
  var lines: [String] {
    operations.map(\.description)
      + histories.enumerated().map { level, events in
        let asked = events.map { "\($0) at \($0.when)" }.joined(separator: ", ")
        return "level \(level) saw: " + (asked.isEmpty ? "nothing" : asked)
      }
      + rest.enumerated().map { "level \($0) holds \($1) at rest" }
  }
}

extension Observation.Operation: CustomStringConvertible {
  /// What was done, its answer and when it came.
  public var description: String {
    let moment = settled.map { " at \($0)" } ?? ""
    let often = settlements > 1 ? ", \(settlements) times" : ""
    return "\(step). \(action): \(answer)\(moment)\(often)"
  }
}

extension Observation.Answer: CustomStringConvertible {
  /// The answer as text.
  public var description: String {
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
      let text = error as? CacheError == .notFound ? "not found" : "\(type(of: error)).\(error)"
      self = error.isMiss ? .miss(text) : .failure(text)
    case .cancelled: self = .cancelled
    }
  }
}
