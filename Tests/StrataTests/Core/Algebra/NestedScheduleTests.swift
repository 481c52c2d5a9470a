import Foundation
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Runs every schedule of small programs over sums that are nested for real, because a verb is between
/// them. With `STRATA_ORDER=all`, as in `.ci/nightly`, the programs are larger.
final class NestedScheduleTests: XCTestCase {
  private typealias Build = NestedSchedule.Build

  private static let isNightly = ProcessInfo.processInfo.environment["STRATA_ORDER"] == "all"

  private static let flat: Build = { $0[0] + $0[1] + $0[2] }

  private struct Result {
    var runs = 0
    var answers: Set<String> = []
    var violation: String?
  }

  private static func explore(_ scope: NestedScope, _ build: Build) -> Result {
    var (result, choices) = (Result(), Optional(NestedSchedule.Choices()))
    while let next = choices {
      let schedule = NestedSchedule(scope, next)
      result.runs += 1
      if let violation = schedule.run(build) {
        result.violation = "\(violation): \(schedule.operations)"
        return result
      }
      result.answers.insert(schedule.answers)
      choices = schedule.choices.next
    }
    return result
  }

  /// Checks sums with nested sums below a verb against the laws, and against the flat sum.
  private func check(_ scopes: [NestedScope]) {
    let builds: [Build] =
      [Self.flat] + Self.nestings { $0.named("n") }
      + Self.nestings { $0.pooled() }.map { nested in { nested($0).pooled() } }
    let results = concurrentMap(scopes.count * builds.count) { index in
      Self.explore(scopes[index / builds.count], builds[index % builds.count])
    }
    for (index, scope) in scopes.enumerated() {
      let (flat, others) = (results[index * builds.count], index * builds.count + 1)
      let (named, pooled) = (results[others..<others + 2], results[others + 2..<others + 4])
      for result in [flat] + named + pooled { XCTAssertNil(result.violation, "\(scope)") }
      if Self.isNightly { print("\(scope): \(flat.runs) schedules") }
      for result in named { XCTAssertEqual(result.answers, flat.answers, "\(scope)") }
      for result in pooled { XCTAssert(result.answers.isSubset(of: flat.answers), "\(scope)") }
    }
  }

  private static func nestings(
    _ verb: @escaping @Sendable (Cache<Int, Int>) -> Cache<Int, Int>
  ) -> [Build] {
    [{ $0[0] + verb($0[1] + $0[2]) }, { verb($0[0] + $0[1]) + $0[2] }]
  }

  func testEachScheduleOfASmallProgramIsLawful() { check(NestedScope.small) }

  func testEachScheduleOfALargerProgramIsLawful() throws {
    try XCTSkipUnless(Self.isNightly, "Run .ci/nightly for the larger programs.")
    check(NestedScope.large)
  }

  func testPlantedFaultsAreFound() {
    let (scopes, faults) = (NestedScope.small, NestedFault.all.filter(Self.shows))
    let flat = concurrentMap(scopes.count) { Self.explore(scopes[$0], Self.flat) }
    let found = concurrentMap(faults.count) { index in
      zip(scopes, flat).contains { scope, flat in
        Self.nestings(faults[index].verb.apply).contains { nested in
          let result = Self.explore(scope, nested)
          return result.violation != nil || result.answers != flat.answers
        }
      }
    }
    for (fault, isFound) in zip(faults, found) { XCTAssert(isFound, fault.verb.name) }
  }

  /// Whether the programs can show a fault. They have no time limits, and set no value that ends in 0.
  private static func shows(_ fault: NestedFault) -> Bool {
    !["limits", "loses", "refuses"].contains { fault.verb.name.hasPrefix($0) }
  }
}

extension NestedScope {
  fileprivate static let small = [
    NestedScope(program: "s0;g0"),
    NestedScope(program: "s0;c", immediate: [0]),
    NestedScope(program: "g0;c", immediate: [0]),
    NestedScope(program: "s0;s0", immediate: [0]),
    NestedScope(program: "s0;g0", immediate: [0], failures: 1),
    NestedScope(program: "s0;s0 g0", immediate: [0, 1], blocks: true),
    NestedScope(program: "s0;c;g0", immediate: [0, 1, 2], blocks: true),
    NestedScope(program: "g0;r0 g0", immediate: [0, 1, 2], blocks: true),
  ]

  fileprivate static let large = [
    NestedScope(program: "s0;c"),
    NestedScope(program: "g0;r0"),
    NestedScope(program: "s0;g0 g0"),
    NestedScope(program: "s0 g0;r0 g0", immediate: [0]),
    NestedScope(program: "s0;c;g0", immediate: [0, 1], blocks: true),
    NestedScope(program: "s0;s0;g0", immediate: [0, 1], blocks: true),
    NestedScope(program: "s0;s0 g0", immediate: [0, 1], failures: 2, blocks: true),
    NestedScope(program: "s0;s1;c", immediate: [0, 1], failures: 1),
    NestedScope(program: "s0;c;g0", filled: [], immediate: [0]),
    NestedScope(program: "s0;s0;g0", filled: [0, 2], immediate: [0]),
  ]
}
