/// The running operations of one level, queue, or sum.
///
/// `Cache.drained(atMost:)` waits for them, and `Cache.close(atMost:)` also refuses new ones. A get
/// that returns a cached value immediately is never counted, so a hit in memory costs nothing.
package final class RunningWork: OperationCounter {
  package enum Role: Sendable {
    /// The gets of an origin. `close` refuses them first.
    case loads
    /// The operations of a level that stores values. `close` refuses them after it has drained
    /// them.
    case stores
    /// The operations of a sum, of a queue, or of a level in memory, which are never refused.
    case steps
  }

  private struct Waiter {
    /// The last operation that the waiter waits for.
    let last: Int
    var missing: Int
    let end: Pending<Void>
  }

  private struct State {
    var isClosed = false
    /// The number of the last operation that has begun.
    var last = 0
    var count = 0
    /// The functions that cancel the loads in flight, by the loads' numbers.
    var cancels: [Int: @Sendable () -> Void] = [:]
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
    var closed: Pending<Void>?
  }

  let role: Role
  /// The name of the place in errors.
  let stage: String
  private let closing: (@Sendable () -> Promise<Void>)?
  private let state = Lock(State())

  /// - Parameter closing: A function that closes what the level has opened, such as a connection.
  ///   It's called at most once.
  package init(
    _ role: Role, _ stage: String = "cache", _ closing: (@Sendable () -> Promise<Void>)? = nil
  ) {
    (self.role, self.stage, self.closing) = (role, stage, closing)
  }

  /// Records that an operation begins. Returns its number, or `nil` if the place has been closed.
  package func begin() -> Int? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.last += 1
      state.count += 1
      return state.last
    }
  }

  /// Records that an operation has ended.
  package func end(_ number: Int) { end(number, later: nil) }

  package func end(_ number: Int, later: RunLater?) {
    let (ended, _) = state.withLock { state -> ([Pending<Void>], (@Sendable () -> Void)?) in
      state.count -= 1
      let cancel = state.cancels.isEmpty ? nil : state.cancels.removeValue(forKey: number)
      guard !state.waiters.isEmpty else { return ([], cancel) }
      var ended: [Pending<Void>] = []
      for (id, waiter) in state.waiters where number <= waiter.last {
        state.waiters[id]?.missing -= 1
        if waiter.missing == 1, let waiter = state.waiters.removeValue(forKey: id) {
          ended.append(waiter.end)
        }
      }
      return (ended, cancel)
    }
    for end in ended {
      if let later { _ = end.settle(.success(()), later: later) } else { end.settle(.success(())) }
    }
  }

  /// Returns the number of the last operation that has begun, and a promise that settles when this
  /// operation and all earlier ones have ended. If all of them have ended, the promise is `nil`.
  func ending() -> (last: Int, end: Promise<Void>?) {
    let (last, id, end) = state.withLock { state -> (Int, Int, Pending<Void>?) in
      guard state.count > 0 else { return (state.last, 0, nil) }
      let end = Pending<Void>()
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = Waiter(last: state.last, missing: state.count, end: end)
      return (state.last, state.lastWaiter, end)
    }
    guard let end else { return (last, nil) }
    end.onCancel { [self] in _ = state.withLock { $0.waiters.removeValue(forKey: id) } }
    return (last, Promise(.pending(end)))
  }

  /// The number of running operations.
  package var count: Int { state.withLock { $0.count } }

  /// Refuses all further operations. Steps are never refused.
  func refuse() { if role != .steps { state.withLock { $0.isClosed = true } } }

  /// Stops the running loads, which fail with `CacheError.closed`.
  func cancelAll() {
    for cancel in state.withLock({ Array($0.cancels.values) }) { cancel() }
  }

  /// Closes what the level has opened. All calls wait for one closing. A caller that gives up
  /// doesn't cancel the closing.
  func close() -> Promise<Void>? {
    guard let closing else { return nil }
    let (closed, isFirst) = state.withLock { state -> (Pending<Void>, Bool) in
      if let closed = state.closed { return (closed, false) }
      let closed = Pending<Void>()
      _ = closed.listen(isInterest: true) { _ in }
      state.closed = closed
      return (closed, true)
    }
    if isFirst { closing().onCompletion { closed.settle($0) } }
    return Promise(.pending(closed)).flatMapOutcome { Promise(outcome: $0) }
  }
}

extension RunningWork {
  /// Runs an operation, or refuses it. An operation counts as running until it has settled and its
  /// async functions have returned. A cancelled operation settles immediately, but such a function
  /// may still run.
  ///
  /// - Parameter isPart: Whether an operation that calls this one also waits for its async
  ///   functions. An operation doesn't wait for the writes that it causes.
  package func run<Value>(
    isPart: Bool = true, _ work: () -> Promise<Value>
  ) -> Promise<Value> {
    guard let number = begin() else { return Promise(error: CacheError.closed(stage: stage)) }
    let (answer, tasks) = BegunTasks.collect(isPart: isPart, work)
    if let tasks {
      note(answer, number)
      tasks.whenEnded(answer) { self.end(number) }
      return answer
    }
    guard !answer.isReady else {
      end(number)
      return answer
    }
    note(answer, number)
    answer.counted(by: self, number)
    return answer
  }

  /// Counts an operation that has already been called, unless its answer has arrived.
  package func follow<Value>(_ answer: Promise<Value>) {
    guard !answer.isReady, let number = begin() else { return }
    answer.counted(by: self, number)
  }

  /// Stores a function that cancels a load, until the operation ends.
  private func note<Value>(_ answer: Promise<Value>, _ number: Int) {
    guard role == .loads else { return }
    state.withLock { [stage] state in
      state.cancels[number] = { answer.stop(CacheError.closed(stage: stage)) }
    }
  }
}

/// The running work of a cache's levels, and of all verbs and sums above them.
///
/// Each cache adds its own work and visits the caches below it. So a level that two caches share is
/// counted only once.
package struct RunningWorks {
  package typealias Visit = @Sendable (inout RunningWorks) -> Void

  private(set) var all: [RunningWork] = []
  var parts: [MeasuredPart] = []
  private var seen: Set<ObjectIdentifier> = []
  /// The levels whose sizes `parts` has.
  var measured: Set<ObjectIdentifier> = []

  package mutating func add(_ work: RunningWork) {
    guard seen.insert(ObjectIdentifier(work)).inserted else { return }
    all.append(work)
    if work.role != .steps {
      parts.append(
        MeasuredPart(stage: work.stage, level: ObjectIdentifier(work)) {
          [CacheGauge("running", work.count)]
        })
    }
  }

  /// Visits an object. Returns `false` if the object has been visited before.
  mutating func visits(_ object: AnyObject) -> Bool {
    seen.insert(ObjectIdentifier(object)).inserted
  }
}
