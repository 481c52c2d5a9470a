import XCTest

@testable import Strata

/// What verbs promise of any cache at all.
final class VerbLaws: XCTestCase {
  private func hold(
    _ name: String, isSequential: Bool = false, _ left: @escaping Law.Build,
    _ right: @escaping Law.Build, line: UInt = #line
  ) {
    let law = Law(name: name, isSequential: isSequential, left: left, right: right)
    XCTAssertNil(law.counterexample()?.description, line: line)
  }

  func testPoolingTwiceIsPoolingOnce() {
    hold("a.pooled().pooled() == a.pooled()") {
      $0[0].pooled().pooled()
    } _: {
      $0[0].pooled()
    }
    hold("the same of a sum") {
      ($0[0] + $0[1]).pooled().pooled()
    } _: {
      ($0[0] + $0[1]).pooled()
    }
  }

  func testPoolingChangesNothingOneOperationAtATime() {
    hold("a.pooled() == a", isSequential: true) {
      ($0[0] + $0[1]).pooled()
    } _: {
      $0[0] + $0[1]
    }
  }

  func testANameChangesNothing() {
    hold("a.named == a") {
      ($0[0] + $0[1]).named("a")
    } _: {
      $0[0] + $0[1]
    }
  }

  func testBeingObservedChangesNothing() {
    hold("a.observed { _ in } == a") {
      ($0[0].named("upper") + $0[1].named("lower").pooled()).observed { _ in }
    } _: {
      $0[0] + $0[1].pooled()
    }
  }

  func testPoolingIsToldApartFromNoPooling() {
    // Two gets that overlap: the second one joins the first, which read before the write outside.
    let near = Law(
      name: "a + b.pooled() == a + b, overlapping", left: { $0[0] + $0[1].pooled() },
      right: { $0[0] + $0[1] })
    XCTAssertNotNil(near.counterexample(cases: 20_000))
  }
}
