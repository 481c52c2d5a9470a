/// What happened in the stages of a pipeline while one value was asked for.
///
///     let recorder = Recorder()
///     let seen = memory.named("memory").observed(by: recorder)
///     let trace = try await recorder.trace { seen.get("page") }.value.trace
///     print(trace.why)  // memory had nothing
///
/// It is made from what stages report. When others use the same stages meanwhile their steps cannot
/// be told apart from those of the get, and ``hadCompany`` says that this may be so.
///
/// - Law: the stages are those that were asked, in order, and the answer is that of the last:
///   `traces.truth`; see `TraceLaws`.
public struct Trace: Sendable {
  /// One operation of one stage.
  public struct Step: Sendable {
    /// The name of the stage; where it has none, the plan of what is observed.
    public let stage: String
    /// What was done.
    public let operation: CacheEvent.Operation
    /// How it ended.
    public let outcome: CacheEvent.Outcome
    /// When it began, from the beginning of the get on.
    public let start: Duration
    /// From the call to its end.
    public let duration: Duration
    /// How many gets of other stages it was a part of.
    public internal(set) var depth = 0
    /// Whether no get of another stage was a part of it.
    var isInnermost = true
    /// Whether the stage has no name.
    var isUnnamed = false
    /// Whether the stage is only read.
    var isOrigin = false
  }

  /// The operations that have begun and ended while the value was asked for, in the order in which
  /// they began.
  public let steps: [Step]
  /// How the get ended.
  public let outcome: CacheEvent.Outcome
  /// How long the get took.
  public let duration: Duration
  /// Whether other gets of the recorder's pipelines ran meanwhile, or a removal, so that steps may
  /// be theirs.
  public let hadCompany: Bool
}

extension Trace {
  init<Value>(
    _ tape: Recorder.Tape, _ end: TimeSource.Instant, _ outcome: Promise<Value>.Outcome
  ) {
    let begin = tape.start
    let known = tape.events.enumerated().compactMap { index, event in
      event.start.map { (event: event, start: $0, arrival: index) }
    }
    let own = known.filter { $0.start.order > begin.order }.sorted {
      $0.start.order < $1.start.order
    }
    hadCompany =
      tape.hadCompany || own.count < known.count
      || own.contains { [.remove, .clear, .memoryWarning].contains($0.event.operation) }
    self.outcome = CacheEvent.Outcome(outcome)
    duration = begin.instant.duration(to: end)

    var steps: [Step] = []
    var around: [(place: Int, arrival: Int)] = []  // The gets that have begun and not ended.
    for (place, entry) in own.enumerated() {
      around.removeAll { $0.arrival < entry.arrival }
      var step = Step(
        stage: entry.event.stage, operation: entry.event.operation, outcome: entry.event.outcome,
        start: begin.instant.duration(to: entry.start.instant), duration: entry.event.duration)
      (step.depth, step.isUnnamed) = (around.count, entry.event.isUnnamed)
      step.isOrigin = entry.event.isOrigin
      if step.operation == .get {
        for outer in around { steps[outer.place].isInnermost = false }
        around.append((place, entry.arrival))
      }
      steps.append(step)
    }
    self.steps = steps
  }
}

extension CacheEvent.Outcome {
  init<Value>(_ outcome: Promise<Value>.Outcome) {
    switch outcome {
    case .success: self = .success
    case .failure(let error): self = error.isMiss ? .miss(error) : .failure(error)
    case .cancelled: self = .cancelled
    }
  }
}
