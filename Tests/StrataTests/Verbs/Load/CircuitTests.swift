import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests that several threads can use a circuit. `BreakingCircuitTests` tests its states.
final class CircuitTests: XCTestCase {
  private let (time, clock) = TimeSource.manual()

  private func isClosed(_ circuit: Circuit) -> Bool {
    if case .closed = circuit.enter() { true } else { false }
  }

  func testTheFailuresOfAllThreadsCount() {
    let circuit = Circuit(.failures(400), .seconds(30), time)
    let openings = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<100 {
        if circuit.leave(circuit.enter(), true) != nil { openings.withLock { $0 += 1 } }
      }
    }
    XCTAssertEqual(openings.withLock { $0 }, 1, "Only the last failure should open the circuit.")
    XCTAssertFalse(isClosed(circuit))
  }

  func testOneOfSeveralThreadsGetsTheProbe() {
    for _ in 0..<50 {
      let circuit = Circuit(.failures(1), .seconds(30), time)
      XCTAssertNotNil(circuit.leave(circuit.enter(), true))
      clock.advance(by: .seconds(30))
      let probes = Lock(0)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        if case .probe = circuit.enter() { probes.withLock { $0 += 1 } }
      }
      XCTAssertEqual(probes.withLock { $0 }, 1)
    }
  }

  func testACallThatSucceedsLateDoesNotCloseTheCircuit() {
    for _ in 0..<50 {
      let circuit = Circuit(.failures(1), .seconds(30), time)
      let passes = [circuit.enter(), circuit.enter()]
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        _ = circuit.leave(passes[thread], thread == 0)
      }
      XCTAssertFalse(isClosed(circuit), "The failure counts, whichever call ends first.")
    }
  }
}
