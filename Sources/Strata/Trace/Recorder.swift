/// Records what happens in the stages of a pipeline while one value is asked for.
///
///     let recorder = Recorder()
///     let seen = (memory.named("memory") + disk.named("disk").pooled()).observed(by: recorder)
///     let traced = try await recorder.trace { seen.get("page") }.value
///     print(traced.trace)  // when each stage was asked, what it said, and how long it took
///
/// Stages that have names are recorded, the back-fills of sums, and those who wait in a pool or a
/// queue. One recorder may observe several pipelines, and may be used by several threads at a time.
/// While nothing is traced it costs what an observer costs.
public final class Recorder: Sendable {
  private struct State {
    var tapes: [Int: Tape] = [:]
    var last = 0
    /// How many gets run, and how many have begun.
    var running = 0
    var begun = 0
  }

  /// What has happened since a trace began.
  struct Tape: Sendable {
    let start: Reporter.Start
    let begunBefore: Int
    var hadCompany: Bool
    var events: [CacheEvent] = []
  }

  let time: TimeSource
  private let state = Lock(State())

  /// Makes a recorder that has recorded nothing.
  ///
  /// - Parameter time: What durations are measured with.
  public init(on time: TimeSource = .system) { self.time = time }

  /// Asks for a value and records what happens until the answer is there.
  ///
  /// A back-fill that takes its time may still be under way then, and is not in the trace.
  ///
  /// - Parameter get: Called once, on the caller's thread: one `get` of a cache or a fetcher that
  ///   is `observed(by:)` this recorder, as a whole: a part that is asked twice has company.
  /// - Returns: A promise that is kept whatever the get has ended with; cancelling it cancels the
  ///   get.
  /// - Law: tracing changes no answer; see `RecorderTests.testTracingChangesNoAnswer`.
  public func trace<Value>(_ get: () -> Promise<Value>) -> Promise<Traced<Value>> {
    let start = Reporter.Start(at: time.now())
    let id = state.withLock { state in
      state.last += 1
      state.tapes[state.last] = Tape(
        start: start, begunBefore: state.begun, hadCompany: state.running > 0)
      return state.last
    }
    let traced = get().flatMapOutcome { outcome in
      Promise<Traced<Value>>(Traced(outcome: outcome, trace: self.end(id, outcome)))
    }
    return traced.observed { _ in _ = self.state.withLock { $0.tapes.removeValue(forKey: id) } }
  }

  private func end<Value>(_ id: Int, _ outcome: Promise<Value>.Outcome) -> Trace {
    let end = time.now()
    let tape = state.withLock { state in
      var tape = state.tapes.removeValue(forKey: id)
      if let before = tape?.begunBefore, state.begun > before + 1 { tape?.hadCompany = true }
      return tape
    }
    return Trace(
      tape ?? Tape(start: .init(at: end), begunBefore: 0, hadCompany: false), end, outcome)
  }

  var observer: CacheObserver {
    CacheObserver { event in
      self.state.withLock { state in
        for id in state.tapes.keys { state.tapes[id]?.events.append(event) }
      }
    }
  }

  /// Counts a get as long as it runs.
  func counting<Value>(_ work: () -> Promise<Value>) -> Promise<Value> {
    state.withLock { state in
      state.running += 1
      state.begun += 1
    }
    return work().observed { _ in self.state.withLock { $0.running -= 1 } }
  }
}

/// The answer of a get that was traced, and its trace.
public struct Traced<Value: Sendable>: Sendable {
  /// How the get ended.
  public let outcome: Promise<Value>.Outcome
  /// What happened meanwhile.
  public let trace: Trace

  /// The value; throws what the get has failed with, or `CancellationError`.
  public var value: Value { get throws { try outcome.get() } }
}

extension Cache {
  /// Returns this cache with what happens in it recorded while a recorder traces a get.
  ///
  /// - Law: `a.observed(by: recorder) == a`: `transparency.recorded`; see `VerbLaws`.
  public func observed(by recorder: Recorder) -> Cache {
    observed(by: recorder.observer, on: recorder.time).counted(by: recorder)
  }

  /// This cache with its gets counted; writes may be the back-fills of a sum further out.
  private func counted(by recorder: Recorder) -> Cache {
    let get = get
    return Cache(
      get: { key in recorder.counting { get(key) } },
      set: set, remove: remove, clear: clear, memoryWarning: memoryWarning,
      spine: Spine(
        plan: plan, isReadOnly: spine.isReadOnly, forget: spine.forget,
        reporting: spine.reporting { $0.counted(by: recorder) }))
  }
}

extension Fetcher {
  /// Returns this fetcher with what happens in it recorded while a recorder traces a get.
  ///
  /// - Law: as for a cache; see `RecorderTests.testAFetcherIsRecordedToo`.
  public func observed(by recorder: Recorder) -> Fetcher {
    Fetcher(cache.observed(by: recorder))
  }
}
