import StrataVerbs

/// The operations of a pipeline's stages during one get.
///
///     let recorder = Recorder()
///     let seen = memory.named("memory").observed(by: recorder)
///     let trace = try await recorder.trace { seen.get("page") }.value.trace
///     for step in trace.steps { print(step.stage, step.operation, step.outcome) }
///
/// ``table`` and ``svg`` show a trace, and ``why`` explains it in a sentence. When other gets run
/// at the same time, the trace leaves out the steps of gets with other keys. But the recorder can't
/// tell two gets of one key apart. And below a key map, where keys have another form, it can't tell
/// which get a step belongs to. See ``mayIncludeOtherGets``.
///
/// - Law: A trace shows the called stages in order and the stage that returned the value. See the
///   law `traces.truth` in `TraceLaws`.
public struct Trace: Sendable {
  /// An operation of a stage.
  public struct Step: Sendable {
    /// The name of the stage, or the plan of the observed cache if the stage has no name.
    public let stage: String
    /// The kind of operation.
    public let operation: CacheEvent.Operation
    /// The result of the operation.
    public let outcome: CacheEvent.Outcome
    /// The time from the start of the get to the start of the step.
    public let start: Duration
    /// The time from the start of the step to its end.
    public let duration: Duration
    /// The nesting depth of this step: the number of gets that contain it.
    public internal(set) var depth = 0
    /// Whether this step is innermost: no get of another stage ran within it.
    package internal(set) var isInnermost = true
    /// Whether the stage has no name.
    package internal(set) var isUnnamed = false
    /// Whether the stage is an origin.
    package internal(set) var isOrigin = false
    /// Whether the step belongs to the traced get, rather than to a concurrent one.
    var isOwn = true
  }

  /// The operations that began and ended during the get, in the order in which they began.
  public let steps: [Step]
  /// The result of the get.
  public let outcome: CacheEvent.Outcome
  /// The duration of the get.
  public let duration: Duration
  /// Whether other operations, such as gets or removals, ran at the same time. Then some steps
  /// might not belong to the traced get.
  public let mayIncludeOtherGets: Bool
  /// The number of operations that aren't in the trace because the trace had reached the recorder's
  /// limit.
  public let omittedSteps: Int

  /// The name of the stage that returned the value.
  ///
  /// This is the stage even if a codec then failed to decode the value. When a successful get
  /// called no named stage, the name is the text of the observed cache's plan.
  ///
  /// It's `nil` if the get called named stages but none of them returned a value, for example
  /// because the get joined another load. It's also `nil` if the value might come from a step of
  /// another get at the same time.
  public var answeredBy: String? { answer?.stage }

  /// The step that returned the value.
  package var answer: Step? {
    let last = steps.last { $0.operation == .get && $0.isInnermost && $0.isHit }
    return last.flatMap { $0.isOwn ? $0 : nil }
  }
}

extension Trace.Step {
  /// Whether the operation succeeded.
  package var isHit: Bool {
    if case .success = outcome { true } else { false }
  }
}

extension Trace {
  init<Value>(
    _ recording: Recorder.Recording, _ end: TimeSource.Instant, _ outcome: Promise<Value>.Outcome
  ) {
    let begin = recording.start
    let known = recording.events.enumerated().compactMap { index, event in
      event.operation == .stale
        ? nil : event.start.map { (event: event, start: $0, arrival: index) }
    }.filter {
      // Even an eviction of another key can be part of the get.
      recording.others.isEmpty || $0.event.operation == .eviction
        || recording.isOwn($0.event.key) != false
    }
    let own = known.filter { $0.start.order > begin.order }.sorted {
      $0.start.order < $1.start.order
    }
    let hasRival = recording.hasRival
    omittedSteps = recording.omitted
    mayIncludeOtherGets =
      hasRival || own.count < known.count
      || !recording.others.isEmpty && own.contains { recording.isOwn($0.event.key) == nil }
      || own.contains { [.remove, .clear, .expire, .memoryWarning].contains($0.event.operation) }
    self.outcome = CacheEvent.Outcome(outcome)
    duration = begin.instant.duration(to: end)

    var steps: [Step] = []
    var around: [(index: Int, arrival: Int)] = []  // The gets that contain the next step.
    for (index, entry) in own.enumerated() {
      around.removeAll { $0.arrival < entry.arrival }
      var step = Step(
        stage: entry.event.stage, operation: entry.event.operation, outcome: entry.event.outcome,
        start: begin.instant.duration(to: entry.start.instant),
        duration: entry.event.duration ?? .zero)
      (step.depth, step.isUnnamed) = (around.count, entry.event.isUnnamed)
      step.isOrigin = entry.event.isOrigin
      step.isOwn =
        recording.others.isEmpty || !hasRival && recording.isOwn(entry.event.key) == true
      if step.operation == .get {
        for outer in around { steps[outer.index].isInnermost = false }
        around.append((index, entry.arrival))
      }
      steps.append(step)
    }
    self.steps = steps
  }
}
