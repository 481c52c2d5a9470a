import Strata
import StrataLaws

/// Checks that the laws catch faults in caches that remember misses.
final class MissFaultTests: FaultCase {
  private enum Fault { case failuresToo, refusalsToo, forEver, forgetsSets, tooLate, notAtAll }

  private func expectCaught(
    _ fault: Fault, as names: String..., alone: Bool = false, line: UInt = #line
  ) {
    let laws = Laws.misses { level, lifetime, time in Self.naive(fault, level, lifetime, time) }
    expectCaught("\(fault)", by: laws, as: names, alone: alone, line: line)
  }

  func testFailuresThatAreRememberedByDefault() {
    expectCaught(.failuresToo, as: "misses.definition", alone: true)
  }
  func testARejectionThatIsRememberedAsAMiss() {
    expectCaught(.refusalsToo, as: "misses.definition", alone: true)
  }
  func testAMissWithoutAnEnd() {
    expectCaught(.forEver, as: "misses.definition", alone: true)
  }
  func testNothingRemembered() {
    expectCaught(.notAtAll, as: "misses.definition", alone: true)
  }
  func testAMissThatASetDoesNotEnd() {
    expectCaught(.forgetsSets, as: "misses.writes", "misses.writesOnThreads")
  }
  func testAMissThatIsRememberedAfterTheSet() {
    expectCaught(.tooLate, as: "misses.writes")
  }

  private static func naive(
    _ fault: Fault, _ level: Cache<Int, Int>, _ lifetime: Duration, _ time: TimeSource
  ) -> Cache<Int, Int> {
    let held = Box<[Int: (error: any Error, end: TimeSource.Instant)]>([:])
    let writes = Box(0)
    @Sendable func write(_ key: Int?) {
      writes.value += 1
      if fault != .forgetsSets {
        held.update { $0 = key == nil ? [:] : $0.filter { $0.key != key } }
      }
    }
    return Cache(
      get: { key in
        if let miss = held.value[key], fault == .forEver || time.now() < miss.end {
          return Promise(error: miss.error)
        }
        let before = writes.value
        return level.get(key).onFailure { error in
          let isRemembered = fault == .refusalsToo ? error.isMiss : error.isAbsence
          guard fault != .notAtAll, isRemembered || fault == .failuresToo,
            fault == .tooLate || before == writes.value
          else { return }
          let end = time.now().advanced(by: lifetime)
          held.update { $0[key] = (error, end) }
        }
      },
      set: { key, value in
        write(key)
        return level.set(key, value)
      },
      remove: { key in
        write(key)
        return level.remove(key)
      },
      clear: {
        write(nil)
        return level.clear()
      }, memoryWarning: level.memoryWarning)
  }
}
