extension Trace {
  /// Why the answer came from where it did, in one sentence without a full stop.
  ///
  ///     // disk had it, since memory had nothing; it was written into memory
  public var why: String {
    let said = Self.told(passed.map { "\($0.called) \($0.word)" })
    let reason = said.isEmpty ? "" : ", since \(said)"
    switch outcome {
    case .success: return answered + reason + filled
    case .miss: return said.isEmpty ? "no stage with a name was asked" : said + waited
    case .failure(let error):
      return said.isEmpty ? "it failed: \("\(error)".told)" : said + waited
    case .cancelled:
      return "nobody wanted it any more" + (said.isEmpty ? "" : " when \(said)")
    }
  }

  /// The stage that had the value; `nil` if it has no name, or another get has asked it.
  public var answeredBy: String? { answer?.stage }

  private var answer: Step? {
    steps.last { $0.operation == .get && $0.isInnermost && $0.isHit }
  }

  private var join: Step? { steps.last { $0.operation == .join } }

  private var waited: String {
    let parts = [
      join.map { "it waited \($0.duration.formattedShort) for a load that was under way" }, queued,
    ]
    return parts.compactMap { $0 }.map { "; \($0)" }.joined()
  }

  private var queued: String? {
    steps.last { $0.operation == .wait }.map {
      "it waited \($0.duration.formattedShort) for its turn"
    }
  }

  private var answered: String {
    if let join {
      return "it joined a load that was under way and waited \(join.duration.formattedShort)"
    }
    if steps.isEmpty {
      return "this recorder saw no stage: observe the cache by it, and name its parts"
    }
    let stale = hasFailedRefresh ? ", stale" : ""
    return (answer.map { "\($0.called) had it" } ?? "a part without a name had it") + stale
  }

  /// Whether what was answered was stale, and a refresh of it was waited for in vain.
  private var hasFailedRefresh: Bool {
    steps.contains { $0.operation == .refresh && !$0.isHit }
  }

  /// The stages that were asked and had no answer; when a refresh has failed, those that failed.
  private var passed: [Step] {
    let passed = steps.filter { $0.operation == .get && !$0.isHit && $0.isInnermost }
    guard hasFailedRefresh, answer != nil else { return passed }
    return passed.filter { step in !steps.contains { $0.stage == step.stage && $0.isHit } }
  }

  /// Everything once, in the order in which it is there first.
  private static func told(_ parts: [String]) -> String {
    var told: [String] = []
    for part in parts where !told.contains(part) { told.append(part) }
    return told.joined(separator: " and ")
  }

  private var filled: String {
    let sets = steps.filter { $0.operation == .set && $0.stage != answer?.stage }
    let full = Self.told(sets.filter(\.isHit).map(\.called))
    let failed = Self.told(sets.filter { !$0.isHit }.map { "\($0.called) \($0.word)" })
    let missing = Self.told(
      passed.filter { step in !step.isOrigin && !sets.contains { $0.stage == step.stage } }
        .map(\.called))
    let parts = [
      queued,
      full.isEmpty ? nil : "it was written into \(full)",
      failed.isEmpty ? nil : failed,
      missing.isEmpty ? nil : "it was not in \(missing) by the time of the answer",
    ]
    return parts.compactMap { $0 }.map { "; \($0)" }.joined()
  }
}

extension Trace.Step {
  var isHit: Bool {
    if case .success = outcome { true } else { false }
  }

  /// The stage as a sentence names it.
  var called: String { isUnnamed ? "the whole" : stage.onOneLine.cut(to: 60) }

  /// What the stage said, in words.
  var word: String {
    switch (operation, outcome) {
    case (.get, .success): "had it"
    case (.join, .success): "joined"
    case (.refresh, .success): "refreshed"
    case (.wait, .success): "waited"
    case (.set, .success), (.backFill, .success): "filled"
    case (_, .success): "done"
    case (_, .miss(let error)):
      error as? CacheError == .conditionNotSatisfied ? "was not to be asked" : "had nothing"
    case (_, .failure(let error)): "failed (\("\(error)".told))"
    case (_, .cancelled): "was cancelled"
    }
  }
}

extension String {
  /// The first sentence of an error, without its full stop.
  fileprivate var told: String {
    let line = onOneLine
    let end = line.firstRange(of: ". ")?.lowerBound ?? line.endIndex
    return String(line[..<end]).cut(to: 80)
  }
}
