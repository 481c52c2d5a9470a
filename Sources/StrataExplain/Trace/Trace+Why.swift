import StrataVerbs

extension Trace {
  /// An explanation of the get's outcome, as one sentence without a period.
  ///
  ///     let trace = try await recorder.trace { pages.get(url) }.value.trace
  ///     print(trace.why)
  ///     // disk had it, since memory had nothing; it was written into memory
  public var why: String {
    let missed = Self.sentence(passed.map { "\($0.called) \($0.word)" })
    let reason = missed.isEmpty ? "" : ", since \(missed)"
    switch outcome {
    case .success: return answered + reason + filled
    case .miss: return missed.isEmpty ? "the get called no stage with a name" : missed + waited
    case .failure(let error):
      return missed.isEmpty ? "it failed: \("\(error)".firstSentence)" : missed + waited
    case .cancelled:
      return "the get was cancelled" + (missed.isEmpty ? "" : " when \(missed)")
    }
  }

  private var join: Step? { steps.last { $0.operation == .join } }

  private var waited: String {
    Self.clauses([
      join.map { "it waited \($0.duration.formattedShort) for a load in flight" }, queued,
    ])
  }

  private var queued: String? {
    steps.last { $0.operation == .wait }.map {
      "it waited \($0.duration.formattedShort) in a queue"
    }
  }

  private var answered: String {
    if let join {
      return "it joined a load in flight and waited \(join.duration.formattedShort)"
    }
    if steps.isEmpty {
      return "the recorder saw no stage: observe the cache with the recorder, and name its stages"
    }
    if answer == nil, mayIncludeOtherGets {
      return "other gets ran at the same time, so it's unknown which stage had the value"
    }
    let stale = hasFailedRefresh ? ", stale" : ""
    return (answer.map { "\($0.called) had it" } ?? "a stage without a name had it") + stale
  }

  /// Whether the answer is stale because a refresh failed.
  private var hasFailedRefresh: Bool {
    steps.contains { $0.operation == .refresh && !$0.isHit }
  }

  /// The steps in which the get of a stage returned no value. When a refresh failed but a stage
  /// still returned a value, this leaves out the stages that also have a successful step.
  private var passed: [Step] {
    let passed = steps.filter { $0.operation == .get && !$0.isHit && $0.isInnermost }
    guard hasFailedRefresh, answer != nil else { return passed }
    return passed.filter { step in !steps.contains { $0.stage == step.stage && $0.isHit } }
  }

  private var filled: String {
    let sets = steps.filter { $0.operation == .set && $0.stage != answer?.stage }
    let full = Self.sentence(sets.filter(\.isHit).map(\.called))
    let failed = Self.sentence(sets.filter { !$0.isHit }.map { "\($0.called) \($0.word)" })
    let missing = Self.sentence(
      passed.filter { step in !step.isOrigin && !sets.contains { $0.stage == step.stage } }
        .map(\.called))
    return Self.clauses([
      queued,
      full.isEmpty ? nil : "it was written into \(full)",
      failed.isEmpty ? nil : failed,
      missing.isEmpty ? nil : "it was not in \(missing) by the end of the get",
    ])
  }

  /// Returns the parts in order and without duplicates, joined by `and`.
  private static func sentence(_ parts: [String]) -> String {
    var distinct: [String] = []
    for part in parts where !distinct.contains(part) { distinct.append(part) }
    return distinct.joined(separator: " and ")
  }

  /// Joins the clauses that aren't `nil`. Each clause, even the first, begins with a semicolon.
  private static func clauses(_ parts: [String?]) -> String {
    parts.compactMap { $0 }.map { "; \($0)" }.joined()
  }
}

extension Trace.Step {
  /// The name of the stage as it appears in a sentence.
  var called: String { isUnnamed ? "the whole" : stage.onOneLine.cut(to: 60) }

  /// The outcome of the step in words, with the error of a failure.
  var word: String {
    guard case .failure(let error) = outcome else { return shortWord }
    return "\(shortWord) (\("\(error)".firstSentence))"
  }

  /// The outcome of the step in at most two words.
  var shortWord: String {
    switch (operation, outcome) {
    case (.get, .success): "had it"
    case (.join, .success): "joined"
    case (.refresh, .success): "refreshed"
    case (.wait, .success): "waited"
    case (.set, .success), (.backFill, .success): "filled"
    case (_, .success): "done"
    case (_, .miss(let error)):
      error as? CacheError == .conditionNotSatisfied ? "was skipped" : "had nothing"
    case (_, .failure): "failed"
    case (_, .cancelled): "was cancelled"
    }
  }
}

extension String {
  /// The first sentence of an error message, without its period.
  fileprivate var firstSentence: String {
    let line = onOneLine
    let end = line.firstRange(of: ". ")?.lowerBound ?? line.endIndex
    return String(line[..<end]).cut(to: 80)
  }
}
