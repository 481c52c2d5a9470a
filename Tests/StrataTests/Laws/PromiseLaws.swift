import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// The laws of `Promise`, checked with random programs that settle promises, cancel promises, and
/// add listeners. The two sides of a law are equal if they have equal outcomes, callbacks in the
/// same order, and effects in the same order.
final class PromiseLaws: XCTestCase {
  private typealias Side = (PromiseWorld) -> Promise<Int>

  func testPromisesAreAMonad() async throws { try await checkTogether(.promise) }

  func testAPromiseSettlesExactlyOnce() async throws { try await checkTogether(.exactlyOnce) }

  // Checks the law `Promise(x).flatMap(f) == f(x)`.
  func testLeftIdentity() {
    check(
      { world in Promise(7).flatMap { try world.f($0) } },
      { world in
        do { return try world.f(7) } catch { return Promise(error: error) }
      })
  }

  // Checks the law `p.flatMap(Promise.init) == p`.
  func testRightIdentity() {
    check({ world in world.source.flatMap { Promise($0) } }, { world in world.source })
  }

  // Checks the law `p.flatMap(f).flatMap(g) == p.flatMap { f($0).flatMap(g) }`.
  func testAssociativity() {
    check(
      { world in world.source.flatMap { try world.f($0) }.flatMap { try world.g($0) } },
      { world in world.source.flatMap { x in try world.f(x).flatMap { try world.g($0) } } })
  }

  // Checks the law `p.map(h) == p.flatMap { Promise(h($0)) }`.
  func testMapAndFlatMapAgree() {
    check(
      { world in world.source.map { try world.h($0) } },
      { world in world.source.flatMap { Promise(try world.h($0)) } })
  }

  // Checks the law `p.map(h).map(h) == p.map { h(h($0)) }`.
  func testMapKeepsComposition() {
    check(
      { world in world.source.map { try world.h($0) }.map { try world.h($0) } },
      { world in world.source.map { try world.h(try world.h($0)) } })
  }

  func testEveryCallbackIsCalledOnce() {
    let sides: [Side] = [
      { $0.source }, { world in world.source.flatMap { try world.f($0) } },
      { world in world.source.map { try world.h($0) }.recover { _ in try world.g(1) } },
      { world in
        Promise.all([world.source, world.source.map { try world.h($0) }]).map { $0[0] + $0[1] }
      },
      { world in world.source.timeout(after: .seconds(9)) },
    ]
    for side in sides {
      XCTAssertEqual(
        violations { number in
          let report = PromiseWorld(number).run(side)
          return report.callbacks.sorted() == report.expected.sorted() ? nil : "\(report)"
        }, [])
    }
  }

  // The following statements look like laws but are false. The check must catch a violation of each
  // statement.

  func testAMapThatRunsItsFunctionTwiceIsCaught() {
    checkCatches(
      { world in world.source.map { try world.h($0) } },
      { world in
        world.source.map { value in
          _ = try world.h(value)
          return try world.h(value)
        }
      })
  }

  func testAMapThatDoesNotForwardACancellationIsCaught() {
    checkCatches(
      { world in world.source.map { $0 } },
      { world in
        Promise { (continuation: Promise<Int>.Continuation) in
          world.source.onCompletion { continuation.settle($0) }
        }
      })
  }

  func testAMapThatLosesAFailureIsCaught() {
    checkCatches(
      { world in world.source.map { $0 } },
      { world in
        Promise { (continuation: Promise<Int>.Continuation) in
          world.source.onSuccess { continuation.succeed($0) }
          world.source.onCancel { continuation.cancel() }
        }
      })
  }

  func testAFlatMapThatCommutesIsCaught() {
    checkCatches(
      { world in world.source.flatMap { try world.f($0) }.flatMap { try world.g($0) } },
      { world in world.source.flatMap { try world.g($0) }.flatMap { try world.f($0) } })
  }

  func testALostCallbackIsCaught() {
    let found = violations { number in
      let report = PromiseWorld(number).run { $0.source }
      return report.callbacks.dropLast().sorted() == report.expected.sorted() ? nil : "\(report)"
    }
    XCTAssertFalse(found.isEmpty)
  }

  private func check(_ left: Side, _ right: Side, line: UInt = #line) {
    XCTAssertEqual(differences(left, right), [], line: line)
  }

  private func checkCatches(_ left: Side, _ right: Side, line: UInt = #line) {
    XCTAssertFalse(differences(left, right).isEmpty, line: line)
  }

  private func differences(_ left: Side, _ right: Side) -> [String] {
    violations { number in
      let (one, other) = (PromiseWorld(number).run(left), PromiseWorld(number).run(right))
      return one == other ? nil : "\(one)\n    \(other)"
    }
  }

  private func violations(of law: (Int) -> String?) -> [String] {
    var found: [String] = []
    for number in 0..<Extent.rounds(1_000, full: 30_000) where found.count < 2 {
      guard let violation = law(number) else { continue }
      found.append("seed \(LawSeed.value), case \(number):\n    \(violation)")
    }
    return found
  }
}
