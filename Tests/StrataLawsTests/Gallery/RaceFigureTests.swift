import Foundation
import XCTest

@testable import StrataLaws

/// For each race, prints the number of seeds for which the check finds the race. The test runs only
/// with `STRATA_LONG=1`.
final class RaceFigureTests: FaultCase {
  func testNinetyNineOfAHundredSeedsFindEachRace() throws {
    try skipUnlessLong("Searches for each race from a hundred seeds.")
    let environment = ProcessInfo.processInfo.environment
    let seeds = environment["STRATA_SEEDS"].flatMap { UInt64($0) } ?? 100
    for (name, laws, law) in RaceFault.all {
      if let only = environment["STRATA_RACE"], only != name { continue }
      let subject = try XCTUnwrap(laws.laws.first { $0.name == law })
      let start = ContinuousClock.now
      let found = (0..<seeds).compactMap { subject.violation(seed: $0 &* 0x9e37_79b9, cases: 400) }
      let numbers = found.map(\.number).sorted()
      let sizes = found.map(\.operations).sorted()
      print(
        "race | \(name) | \(law) | \(found.count) of \(seeds) | median case "
          + "\(numbers.isEmpty ? 0 : numbers[numbers.count / 2]), last \(numbers.last ?? 0) | "
          + "operations \(sizes.isEmpty ? 0 : sizes[sizes.count / 2]), most \(sizes.last ?? 0) | "
          + "\(ContinuousClock.now - start)")
      XCTAssertGreaterThanOrEqual(found.count * 100, Int(seeds) * 99, name)
    }
  }
}
