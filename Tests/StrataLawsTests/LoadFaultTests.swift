import Dispatch
import Strata
import StrataLaws

/// Checks that the laws catch faults in limits, retries, time limits, and queues.
final class LoadFaultTests: FaultCase {
  private func expectCaught(
    _ fault: NaiveLimit.Fault, as names: String..., alone: Bool = false, line: UInt = #line
  ) {
    let laws = Laws.limit { NaiveLimit(fault, $1)($0) }
    expectCaught("\(fault)", by: laws, as: names, alone: alone, line: line)
  }

  func testALimitWhoseStateBelongsToOneHandle() {
    expectCaught(
      "state in the closure",
      by: .limit { cache, limit in
        cache.transforming("limited") { operations in
          var result = operations
          let inner = Cache(get: operations.get, set: operations.set, remove: operations.remove)
          result.get = inner.limited(toConcurrentGets: limit).get
          return result
        }
      }, as: "limit.bound")
  }

  func testAMissingLimit() {
    expectCaught(.unlimited, as: "limit.bound", "limit.boundOnThreads")
  }
  func testAQueueOutOfOrder() { expectCaught(.lastFirst, as: "limit.order", alone: true) }
  func testACancelledWaiterThatStillReachesTheLevel() {
    expectCaught(.asksForWhoLeft, as: "limit.leaving", alone: true)
  }
  func testACancelledGetThatKeepsItsPermit() {
    expectCaught(.cancellationKeepsPlace, as: "limit.progress", alone: true)
  }
  func testAFailureThatKeepsItsPermit() {
    expectCaught(.failureKeepsPlace, as: "limit.sequence", "limit.progress")
  }

  func testALimitThatOverflows() {
    // The faulty limit converts the count to an `Int8`. The conversion truncates the count
    // `Int.max` to -1, so the faulty limit uses its minimum of 1.
    expectCaught(
      "limitOverflows",
      by: .limit { cache, count in
        cache.limited(toConcurrentGets: max(1, Int(Int8(truncatingIfNeeded: count))))
      }, as: "limit.transparency", alone: true)
  }

  func testARetryTooMany() {
    expectCaught(
      "oneTooMany",
      by: .retry { cache, count, pause, time in
        cache.retrying(count + 1, backoff: .constant(.milliseconds(pause)), clock: time)
      }, as: ["retry.none", "retry.attempts"])
  }

  func testARetryTooFew() {
    expectCaught(
      "oneTooFew",
      by: .retry { cache, count, pause, time in
        cache.retrying(max(0, count - 1), backoff: .constant(.milliseconds(pause)), clock: time)
      }, as: "retry.attempts", alone: true)
  }

  func testARetryWithACountOfZero() {
    expectCaught(
      "oneAtLeast",
      by: .retry { cache, count, pause, time in
        cache.retrying(max(1, count), backoff: .constant(.milliseconds(pause)), clock: time)
      }, as: "retry.none", alone: true)
  }

  func testARetryOfMisses() {
    expectCaught(
      "retriesMisses",
      by: .retry { cache, count, pause, time in
        cache.retrying(
          count, backoff: .constant(.milliseconds(pause)), clock: time, if: { _ in true })
      }, as: "retry.answers")
  }

  func testRetriesWithoutADelay() {
    expectCaught(
      "noPause", by: .retry { cache, count, _, time in cache.retrying(count, clock: time) },
      as: "retry.pauses", alone: true)
  }

  func testADelayThatLosesCancellation() {
    expectCaught(
      "losesCancellation",
      by: .retry { cache, count, pause, time in
        let get = cache.retrying(count, backoff: .constant(.milliseconds(pause)), clock: time).get
        return cache.asked { key in
          let answer = get(key)
          guard answer.outcome == nil, count > 0, pause > 1 else { return answer }
          return Promise { continuation in answer.observed { continuation.settle($0) } }
        }
      }, as: "retry.leaving", alone: true)
  }

  func testAMissingTimeLimit() {
    expectCaught(
      "unbounded", by: .timeLimit { cache, _, _ in cache }, as: "timeLimit.bound", alone: true)
  }

  func testATimeLimitThatIsTooShort() {
    expectCaught(
      "hasty",
      by: .timeLimit { cache, limit, time in
        cache.timingOut(after: .milliseconds(limit - 1), clock: time)
      }, as: "timeLimit.fairness", alone: true)
  }

  func testATimeLimitThatDoesNotCancelTheWork() {
    expectCaught(
      "letsRunOn",
      by: .timeLimit { cache, limit, time in
        let get = cache.get
        return cache.asked { key in
          let answer = get(key)
          guard answer.outcome == nil else { return answer }
          return Promise { continuation in
            answer.observed { continuation.settle($0) }
            continuation.onCancel { answer.cancel() }
            _ = time.after(.milliseconds(limit)) { continuation.fail(CacheError.timedOut()) }
          }
        }
      }, as: "timeLimit.letting", alone: true)
  }

  func testATimeLimitThatOverflows() {
    expectCaught(
      "timeLimitOverflows",
      by: .timeLimit { cache, limit, time in
        cache.timingOut(after: .milliseconds(limit & 0xff), clock: time)
      }, as: "timeLimit.patience", alone: true)
  }

  func testAQueueForWritesOnly() {
    let laws = Laws.level("dispatched") {
      let (level, queue) = (Cache<Int, Int>.memory(), OneBehind())
      return Cache(
        get: level.get, set: { key, value in queue.write { level.set(key, value) } },
        remove: { key in queue.write { level.remove(key) } },
        clear: { queue.write { level.clear() } })
    }
    expectCaught("getsOvertakeWrites", by: laws, as: "level.order")
  }
}

/// A faulty queue that delays each write until the next write arrives or 5 ms have passed. Gets
/// don't wait.
private final class OneBehind: Sendable {
  private let waiting = Box<(id: Int, write: (@Sendable () -> Void)?)>((0, nil))

  func write(_ work: @escaping @Sendable () -> Promise<Void>) -> Promise<Void> {
    Promise { continuation in
      let (id, last) = waiting.update { waiting in
        defer { waiting = (waiting.id + 1, { work().observed { continuation.settle($0) } }) }
        return (waiting.id + 1, waiting.write)
      }
      last?()
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) {
        self.waiting.update { $0.id == id ? $0.write.take() : nil }?()
      }
    }
  }
}

/// A simple limit with optional faults.
private final class NaiveLimit: Sendable {
  enum Fault: Sendable {
    case unlimited, lastFirst, asksForWhoLeft, cancellationKeepsPlace, failureKeepsPlace
  }

  private typealias Waiter = (id: Int, begin: @Sendable () -> Void)
  private let fault: Fault
  private let state: Box<(free: Int, waiting: [Waiter], lastID: Int)>

  init(_ fault: Fault, _ count: Int) {
    self.fault = fault
    state = Box((count, [], 0))
  }

  func callAsFunction(_ cache: Cache<Int, Int>) -> Cache<Int, Int> {
    let get = cache.get
    return cache.asked { key in self.fault == .unlimited ? get(key) : self.queue { get(key) } }
  }

  private func queue(_ get: @escaping @Sendable () -> Promise<Int>) -> Promise<Int> {
    Promise { continuation in
      let id = state.update { state in
        state.lastID += 1
        state.waiting.append((state.lastID, { self.run(get, continuation) }))
        return state.lastID
      }
      if fault != .asksForWhoLeft {
        continuation.onCancel { self.state.update { $0.waiting.removeAll { $0.id == id } } }
      }
      next()
    }
  }

  private func run(
    _ get: @Sendable () -> Promise<Int>, _ continuation: Promise<Int>.Continuation
  ) {
    let answer = get()
    continuation.onCancel { answer.cancel() }
    answer.observed { outcome in
      let keeps =
        outcome.isCancelled && self.fault == .cancellationKeepsPlace
        || outcome.error != nil && self.fault == .failureKeepsPlace
      if !keeps { self.state.update { $0.free += 1 } }
      continuation.settle(outcome)
      self.next()
    }
  }

  private func next() {
    let waiter = state.update { state -> Waiter? in
      guard state.free > 0, !state.waiting.isEmpty else { return nil }
      state.free -= 1
      return fault == .lastFirst ? state.waiting.removeLast() : state.waiting.removeFirst()
    }
    waiter?.begin()
  }
}
