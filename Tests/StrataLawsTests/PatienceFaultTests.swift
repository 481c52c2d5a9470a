import Strata
import StrataLaws

/// Faults of sums over levels that hang.
final class PatienceFaultTests: FaultCase {
  func testASumThatWaitsForever() {
    expectCaught(
      "waitsForever", by: .patience { upper, lower, _ in upper + lower }, as: "sum.patience")
  }

  func testAnAbandonedWriteThatIsReadImmediately() {
    expectCaught(
      "readAtOnce",
      by: .patience { upper, lower, bound in
        GivingUp(upper, bound, skips: false).cache + GivingUp(lower, bound, skips: false).cache
      }, as: "sum.unknown")
  }

  func testALateWriteThatIsReadAgain() {
    expectCaught(
      "readAfterAll",
      by: .patience { upper, lower, bound in
        GivingUp(upper, bound, skips: true).cache + lower
      }, as: ["sum.unknown"], within: 8, cases: 8_000)
  }

  func testAClearThatDelaysOtherKeys() {
    expectCaught(
      "clearWaits",
      by: .patience { upper, lower, bound in
        let (sum, order) = (
          (upper + lower).awaited(atMost: .milliseconds(bound)), OperationOrder(.level)
        )
        return Cache(
          get: { key in order.read(key) { sum.get(key) } },
          set: { key, value in order.write(key) { sum.set(key, value) } },
          remove: { key in order.write(key) { sum.remove(key) } },
          clear: { order.write(nil) { sum.clear() } })
      }, as: "sum.neighbors", within: 8)
  }
}

/// A level that abandons slow writes, and doesn't remove their keys when they settle late.
private final class GivingUp: Sendable {
  private let level: Cache<Int, Int>
  private let bound: Duration
  private let skips: Bool
  private let hanging = Box<[Int: Int]>([:])

  init(_ level: Cache<Int, Int>, _ bound: Int, skips: Bool) {
    (self.level, self.bound, self.skips) = (level, .milliseconds(bound), skips)
  }

  private func write(_ key: Int?, _ write: Promise<Void>) -> Promise<Void> {
    guard write.outcome == nil else { return write }
    let keys = key.map { [$0] } ?? [0, 1]
    return Promise { continuation in
      write.observed { outcome in
        if continuation.settle(outcome) { return }
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
        if self.skips, self.hanging.value[key, default: 0] > 0 {
          return Promise(error: CacheError.timedOut())
        }
        return self.level.get(key)
      },
      set: { key, value in self.write(key, self.level.set(key, value)) },
      remove: { key in self.write(key, self.level.remove(key)) },
      clear: { self.write(nil, self.level.clear()) }
    ).clocked(by: level.clock)
  }
}
