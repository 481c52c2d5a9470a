import Foundation
import StrataVerbs

/// Records the operations that happen in a pipeline during a get.
///
///     let recorder = Recorder()
///     let seen = (memory.named("memory") + disk.named("disk").pooled()).observed(by: recorder)
///     let traced = try await recorder.trace { seen.get("page") }.value
///     print(traced.trace.steps.map(\.stage))
///
/// A recorder records the operations of named stages, the back-fills of sums, and how long each get
/// waits in pools and queues. It can observe several pipelines, and any thread can use it. While no
/// trace is running, it costs as much as any other observer.
public final class Recorder: Sendable {
  private struct State {
    var recordings: [Int: Recording] = [:]
    var last = 0
    /// The keys of the gets in flight.
    var running: [Int: any Sendable] = [:]
    /// The recordings whose get hasn't begun, by the thread that should begin the get.
    var opening: [ObjectIdentifier: Int] = [:]
  }

  /// The events since the start of a trace.
  struct Recording: Sendable {
    let start: Reporter.Start
    /// The key of the traced get, or `nil` if the get didn't begin on the thread of the trace.
    var key: (any Sendable)?
    /// The number of gets that ran at the start of the trace.
    let runningBefore: Int
    /// The keys of the other gets that ran at the same time.
    var others: [any Sendable]
    /// Whether there were more other gets than the recorder keeps.
    var hasMoreOthers = false
    var events: [CacheEvent] = []
    var omitted = 0
  }

  let time: TimeSource
  private let limit: Int
  private let state = Lock(State())

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures durations. The default is the system's clock.
  ///   - limit: The maximum number of operations in a trace. The default is 10,000.
  ///     ``Trace/omittedSteps`` is the number of operations beyond the limit.
  public init(clock: TimeSource = .system, limit: Int = 10_000) {
    (time, self.limit) = (clock, max(0, limit))
  }

  /// Starts a get, and records the operations until it ends.
  ///
  /// Back-fills that are still in flight at the end of the get aren't part of the trace.
  ///
  /// - Parameter get: A closure that starts one `get` of a cache or a fetcher that this recorder
  ///   observes. This closure is called once, on the caller's thread. When the closure calls `get`
  ///   on that thread, the trace leaves out the steps of concurrent gets of other keys. Observe
  ///   only the whole pipeline: if you also observe a stage separately, the trace contains each get
  ///   of this stage twice.
  /// - Returns: A promise of the outcome and the trace, which succeeds even if the get fails. To
  ///   cancel the get, cancel the promise.
  /// - Law: A trace doesn't change the outcome of a get. See
  ///   `RecorderTests.testTracingChangesNoAnswer`.
  public func trace<Value>(_ get: () -> Promise<Value>) -> Promise<Traced<Value>> {
    let start = Reporter.Start(at: time.now())
    let thread = ObjectIdentifier(Thread.current)
    let (id, outer) = state.withLock { state in
      state.last += 1
      state.recordings[state.last] = Recording(
        start: start, runningBefore: state.running.count, others: Array(state.running.values))
      return (state.last, state.opening.updateValue(state.last, forKey: thread))
    }
    let answer = get()
    state.withLock { $0.opening[thread] = outer }
    let traced = answer.flatMapOutcome { outcome in
      Promise<Traced<Value>>(Traced(outcome: outcome, trace: self.end(id, outcome)))
    }
    return traced.observed { _ in
      _ = self.state.withLock { $0.recordings.removeValue(forKey: id) }
    }
  }

  private func end<Value>(_ id: Int, _ outcome: Promise<Value>.Outcome) -> Trace {
    let end = time.now()
    var recording =
      state.withLock { $0.recordings.removeValue(forKey: id) }
      ?? Recording(start: .init(at: end), runningBefore: 0, others: [])
    if recording.key == nil, recording.runningBefore == 0, recording.others.count == 1 {
      recording.key = recording.others.removeFirst()  // The get began on another thread.
    }
    return Trace(recording, end, outcome)
  }

  var observer: CacheObserver {
    CacheObserver(measuringHits: true) { event in
      self.state.withLock { state in
        for id in state.recordings.keys {
          if state.recordings[id]?.events.count ?? 0 < self.limit {
            state.recordings[id]?.events.append(event)
          } else {
            state.recordings[id]?.omitted += 1
          }
        }
      }
    }
  }

  /// Starts a get of a key. Until the get settles, the key is one of the keys in flight.
  func counting<Value>(_ key: any Sendable, _ work: () -> Promise<Value>) -> Promise<Value> {
    let thread = ObjectIdentifier(Thread.current)
    let id = state.withLock { state in
      state.last += 1
      let own = state.opening.removeValue(forKey: thread)
      for id in state.recordings.keys {
        if id == own {
          state.recordings[id]?.key = key
        } else if state.recordings[id]?.others.count ?? 0 < 1_000 {
          state.recordings[id]?.others.append(key)
        } else {
          state.recordings[id]?.hasMoreOthers = true
        }
      }
      state.running[state.last] = key
      return state.last
    }
    return work().observed { _ in
      _ = self.state.withLock { $0.running.removeValue(forKey: id) }
    }
  }
}

/// The outcome and the trace of a get.
public struct Traced<Value: Sendable>: Sendable {
  /// The outcome of the get.
  public let outcome: Promise<Value>.Outcome
  /// The operations during the get.
  public let trace: Trace

  /// The value of the get.
  ///
  /// - Throws: The error of the get, or `CancellationError` if the get was cancelled.
  public var value: Value { get throws { try outcome.get() } }
}

extension Cache {
  /// Returns a cache that reports its operations to a recorder.
  ///
  /// - Law: `a.observed(by: recorder) == a`. See the law `transparency.recorded` in `VerbLaws`.
  public func observed(by recorder: Recorder) -> Cache {
    observed(by: recorder.observer, clock: recorder.time).counted(by: recorder)
  }

  /// Returns a cache that reports the keys of its gets to the recorder. It doesn't report the keys
  /// of writes, because a write may be a back-fill that belongs to the traced get.
  private func counted(by recorder: Recorder) -> Cache {
    transforming(plan) { cache, _ in
      var result = cache.operations
      let get = result.get
      result.get = { key in recorder.counting(key) { get(key) } }
      return result
    }
  }
}
