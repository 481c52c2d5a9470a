import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests that a violation has the right text, and that the violation's seed reproduces the
/// violation.
final class LawTests: XCTestCase {
  private let wrong = Law("wrong.order", "a + b == b + a", "The order of levels does not matter.") {
    $0[0] + $0[1]
  } is: {
    $0[1] + $0[0]
  }

  func testAViolationIsReproducedFromItsSeed() throws {
    let found = try XCTUnwrap(wrong.violation(seed: 11))
    let again = try XCTUnwrap(wrong.violation(seed: found.seed, cases: 1))
    XCTAssertEqual(found.program, again.program)
    XCTAssertEqual(found.evidence.left.lines, again.evidence.left.lines)
    XCTAssertEqual(found.evidence.right.lines, again.evidence.right.lines)
    XCTAssertEqual(wrong.violation(seed: 11)?.description, found.description)
  }

  func testAViolationPrintsLawSeedProgramAndBothSides() throws {
    let found = try XCTUnwrap(wrong.violation(seed: 11))
    let lines = found.description.split(separator: "\n", omittingEmptySubsequences: false)
    XCTAssertEqual(lines.first, "wrong.order does not hold: a + b == b + a")
    XCTAssertTrue(found.description.contains("STRATA_SEED=\(found.seed) STRATA_CASES=1"))
    XCTAssertTrue(found.description.contains("of \(found.operations) operations"))
    XCTAssertEqual(lines.filter { $0.hasPrefix("  > ") }.count, 1)
    XCTAssertEqual(lines.filter { $0.contains(" | ") }.count, found.evidence.left.lines.count + 1)
  }

  func testTheSmallestProgramIsSmall() throws {
    XCTAssertLessThanOrEqual(try XCTUnwrap(wrong.violation(seed: 11)).operations, 2)
  }

  /// Shrinking must reduce the pair 9, 9 to the pair 0, 0. The first step must reduce the second
  /// number, because the pair 8, 9 satisfies the law. Later steps must reduce both numbers.
  func testShrinkingTriesEveryVariantOfTheSmallestTrial() throws {
    for tries in [1, 3] {
      let law = Law("pair", "a < b", "The first number is less than the second.", tries: tries) {
        _ in
        Pair(first: 9, second: 9)
      } judge: {
        $0.first < $0.second ? nil : LawEvidence(left: ("seen", $0.lines), right: ("lawful", []))
      }
      XCTAssertEqual(try XCTUnwrap(law.violation()).program, ["0, 0"])
    }
  }

  /// If the first violation of a law about threads can't be shrunk with 600 checks, the law must
  /// search for another violation, even if violations are rare.
  func testALongViolationOfALawAboutThreadsIsNotTheLast() throws {
    let cases = Lock(0)
    let law = Law("race", "no race", "There is no race.", tries: 700) { _ in
      let number = cases.withLock { cases in
        cases += 1
        return cases
      }
      return Count(size: [1: 100, 500: 96][number] ?? 0)
    } judge: {
      $0.size == 100 || 96 % max(1, $0.size) == 0 && $0.size > 1
        ? LawEvidence(left: ("seen", $0.lines), right: ("lawful", [])) : nil
    }
    let violation = try XCTUnwrap(law.violation(cases: 1000))
    XCTAssertEqual(violation.number, 500)
    XCTAssertLessThanOrEqual(violation.operations, 6)
  }

  func testCheckingThrowsTheViolation() {
    XCTAssertNoThrow(try Laws.check(.codecs, cases: 20))
    XCTAssertThrowsError(try Laws.check(Laws("wrong", [wrong]))) { error in
      XCTAssertEqual((error as? LawViolation)?.law.name, "wrong.order")
    }
  }

  func testALawOfTooManyCallsHoldsUpToTheirNumber() {
    let left: LawBuild = { $0[0] + $0[0] }
    let alone = { () -> LawDomain in
      var domain = LawDomain()
      domain.isSequential = true
      domain.failsWrites = false  // A sum hides the keys of a failed clear.
      return domain
    }()
    let full = Law("twice", "a + a == a", "", in: alone, left, is: { $0[0] })
    let answers = Law("twice", "a + a == a", "", in: alone, equality: .answers, left) { $0[0] }
    XCTAssertNotNil(full.violation())
    XCTAssertNil(answers.violation())
  }

  func testEveryLawHasAUniqueNameAStatementAndASentence() {
    let all = Laws.all.flatMap(\.laws)
    let statements = Dictionary(grouping: all, by: \.name).mapValues { Set($0.map(\.statement)) }
    XCTAssertTrue(statements.values.allSatisfy { $0.count == 1 }, "\(statements)")
    XCTAssertTrue(all.allSatisfy { !$0.statement.isEmpty && $0.sentence.hasSuffix(".") })
  }
}

/// A trial that can be halved.
private struct Count: Trial {
  let size: Int
  var simpler: [Count] { size > 1 ? [Count(size: size / 2)] : [] }
  var lines: [String] { ["\(size)"] }
}

/// A pair of numbers. In a simpler variant of the pair, one of the numbers is smaller by one.
private struct Pair: Trial {
  let first: Int
  let second: Int

  var size: Int { first + second }
  var lines: [String] { ["\(first), \(second)"] }
  var simpler: [Pair] {
    [Pair(first: first - 1, second: second), Pair(first: first, second: second - 1)]
      .filter { $0.first >= 0 && $0.second >= 0 }
  }
}
