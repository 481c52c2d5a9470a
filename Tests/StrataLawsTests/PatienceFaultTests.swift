import StrataLaws

@testable import StrataCore

/// Checks that the laws catch faults in sums whose levels hang.
final class PatienceFaultTests: FaultCase {
  func testASumThatWaitsForever() {
    expectCaught(
      "waitsForever", by: .patience { upper, lower, _ in upper + lower }, as: "sum.patience")
  }

  func testAnAbandonedWriteThatIsReadImmediately() {
    expectCaught(
      "readAtOnce",
      by: .patience { upper, lower, bound in
        GivingUp(upper, bound, .readsAtOnce).cache + GivingUp(lower, bound, .readsAtOnce).cache
      }, as: "sum.unknown")
  }

  func testALateWriteThatIsReadAgain() {
    expectCaught(
      "readAfterAll",
      by: .patience { upper, lower, bound in
        GivingUp(upper, bound, .readsAfterAll).cache + lower
      }, as: ["sum.unknown"], within: 8, cases: 8_000)
  }

  func testALateClearThatFailsAndIsForgotten() {
    expectCaught(
      "forgetsFailedClear",
      by: .patience { upper, lower, bound in
        GivingUp(upper, bound, .forgetsFailedClear).cache + lower
      }, as: ["sum.unknown"], within: 8, cases: 20_000)
  }

  func testALevelThatIsNeverReadAgain() {
    expectCaught(
      "neverReadAgain",
      by: .patience { upper, lower, bound in
        GivingUp(upper, bound, .neverReadsAgain).cache + lower
      }, as: ["sum.recovery"], within: 8, cases: 8_000)
  }

  func testAClearThatDelaysOtherKeys() {
    expectCaught(
      "clearWaits",
      by: .patience { upper, lower, bound in
        let (sum, order) = (
          (upper + lower).awaitedInSum(atMost: .milliseconds(bound)), KeyedQueue()
        )
        return Cache(
          get: { key in order.read(key) { sum.get(key) } },
          set: { key, value in order.write(key) { sum.set(key, value) } },
          remove: { key in order.write(key) { sum.remove(key) } },
          clear: { order.write(nil) { sum.clear() } })
      }, as: "sum.neighbors", within: 8)
  }
}

/// A level that stops waiting for slow writes. It claims to keep the law of failed writes itself,
/// as a sum does, so the sum above it doesn't repair it.
private final class GivingUp: Sendable {
  enum Fault {
    /// A get reads the underlying level even while a timed-out write is still in flight.
    case readsAtOnce
    /// After a timed-out write has ended, gets read the underlying level again. The level may still
    /// contain the value of this write.
    case readsAfterAll
    /// After a `set` or `remove` has timed out, all gets of its key fail. After a timed-out `clear`
    /// has ended, a get reads the level again, even if the `clear` failed.
    case forgetsFailedClear
    /// After any write has timed out, all gets of the affected keys fail forever.
    case neverReadsAgain
  }

  private let level: Cache<Int, Int>
  private let bound: Duration
  private let fault: Fault
  private let hanging = Box<[Int: Int]>([:])

  init(_ level: Cache<Int, Int>, _ bound: Int, _ fault: Fault) {
    (self.level, self.bound, self.fault) = (level, .milliseconds(bound), fault)
  }

  private func write(_ key: Int?, _ write: Promise<Void>) -> Promise<Void> {
    guard write.outcome == nil else { return write }
    let keys = key.map { [$0] } ?? [0, 1]
    return Promise { continuation in
      write.observed { outcome in
        if continuation.settle(outcome) || self.fault == .neverReadsAgain { return }
        if self.fault == .forgetsFailedClear, key != nil { return }
        for key in keys { self.hanging.value[key, default: 0] -= 1 }
      }
      _ = self.level.clock.after(self.bound) {
        guard continuation.fail(CacheError.timedOut()) else { return }
        for key in keys { self.hanging.value[key, default: 0] += 1 }
      }
    }
  }

  var cache: Cache<Int, Int> {
    Cache(
      get: { key in
        if self.fault != .readsAtOnce, self.hanging.value[key, default: 0] > 0 {
          return Promise(error: CacheError.timedOut())
        }
        return self.level.get(key)
      },
      set: { key, value in self.write(key, self.level.set(key, value)) },
      remove: { key in self.write(key, self.level.remove(key)) },
      clear: { self.write(nil, self.level.clear()) }
    ).with {
      $0.conduct.isSum = fault != .neverReadsAgain
    } again: {
      $0
    }.clocked(by: level.clock)
  }
}
