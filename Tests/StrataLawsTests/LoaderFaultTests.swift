import Strata
import StrataLaws

/// Checks that the laws catch faults in caches that are refreshed from a loader.
final class LoaderFaultTests: FaultCase {
  /// Plants a fault by changing the answers of the loader.
  private func expectCaught(
    _ fault: String, as names: [String], alone: Bool = false, line: UInt = #line,
    _ change:
      @escaping @Sendable (Loader<Int, Int>.Answer, Stamped<Int>?) -> Loader<Int, Int>.Answer
  ) {
    let laws = Laws.loader { levels, freshness, loader, time in
      levels.clocked(by: time).refreshing(
        freshness,
        from: Loader { key, old in loader.load(key, old).map { change($0, old) } })
    }
    expectCaught(fault, by: laws, as: names, alone: alone, line: line)
  }

  func testALifetimeThatIsIgnored() {
    expectCaught("usualLifetime", as: ["loader.lifetime"], alone: true) { answer, _ in
      if case .fresh(let value, _) = answer { .fresh(value) } else { answer }
    }
  }

  func testAnUnchangedValueThatKeepsItsStamp() {
    expectCaught("keepsStamp", as: ["loader.unchanged"], alone: true) { answer, old in
      if case .unchanged = answer, let old { .unstored(old.value) } else { answer }
    }
  }

  func testAnUnchangedNothingThatIsAMiss() {
    expectCaught("missesNothing", as: ["loader.nothing"], alone: true) { answer, old in
      if case .unchanged = answer, old == nil { .absent() } else { answer }
    }
  }

  func testAnUnstoredValueThatIsStored() {
    expectCaught("storesAll", as: ["loader.unstored"], alone: true) { answer, _ in
      if case .unstored(let value) = answer { .fresh(value) } else { answer }
    }
  }

  func testAnAbsenceThatIsForgotten() {
    expectCaught("forgetsAbsence", as: ["loader.absent"], alone: true) { answer, _ in
      if case .absent = answer { .absent() } else { answer }
    }
  }

  func testAFreshValueThatIsNotStored() {
    expectCaught("storesNothing", as: ["loader.fetcher", "loader.lifetime"]) { answer, _ in
      if case .fresh(let value, _) = answer { .unstored(value) } else { answer }
    }
  }
}
