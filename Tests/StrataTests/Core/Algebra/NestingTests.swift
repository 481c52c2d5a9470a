import Dispatch
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Random sums below verbs, over levels that hang, fail, block, and answer late.
///
/// Below transparent verbs, a nested sum behaves like the flat sum of its levels. With every verb, it
/// obeys the law that no get returns an older value after a write has ended.
final class NestingTests: XCTestCase {
  private typealias Build = @Sendable (NestedExpression, [Cache<Int, Int>]) -> Cache<Int, Int>

  private static let nested: Build = { $0.cache($1) }
  private static let flat: Build = { $0.flat($1).reduce(.empty, +) }

  /// Runs programs on all processors, and returns the shortest description of the first violation.
  private func search(
    _ count: Int, _ verbs: [NestedVerb], _ pace: NestedProgram.Pace,
    _ violation: @escaping @Sendable (NestedProgram) -> String?
  ) -> String? {
    let found = Lock<(stream: Int, NestedProgram)?>(nil)
    DispatchQueue.concurrentPerform(iterations: count) { stream in
      guard found.withLock({ $0.map { $0.stream > stream } ?? true }) else { return }
      var random = SeededGenerator(stream: stream)
      let program = NestedProgram.random(verbs, pace, using: &random)
      guard violation(program) != nil else { return }
      found.withLock { if $0.map({ $0.stream > stream }) ?? true { $0 = (stream, program) } }
    }
    guard let (stream, program) = found.withLock({ $0 }) else { return nil }
    let shrunk = program.shrunk { violation($0) != nil }
    return "stream \(stream): \(shrunk)\n\(violation(shrunk) ?? "")"
  }

  /// The first operation whose outcome or time differs from the flat sum.
  @Sendable private static func difference(_ program: NestedProgram, _ build: Build) -> String? {
    let one = NestedRun(program, build).run()
    let other = NestedRun(program, flat).run()
    for (one, other) in zip(one, other)
    where one.answer != other.answer
      || program.pace == .alone && one.duration != other.duration
    {
      let times = (one.duration ?? -1, other.duration ?? -1)
      return "\(one.step): \(one.answer) after \(times.0), flat \(other.answer) after \(times.1)"
    }
    return nil
  }

  @Sendable private static func unlawful(_ program: NestedProgram, _ build: Build) -> String? {
    NestedLaw(operations: NestedRun(program, build).run()).violation
  }

  func testASumBelowTransparentVerbsBehavesLikeTheFlatSum() {
    let count = Extent.rounds(600, full: 200_000)
    for pace in [NestedProgram.Pace.alone, .slow] {
      XCTAssertNil(
        search(count, NestedVerb.trusted, pace) { Self.difference($0, Self.nested) })
    }
  }

  func testASumBelowAnyVerbsReturnsNoOlderValue() {
    let count = Extent.rounds(600, full: 200_000)
    XCTAssertNil(
      search(count, NestedVerb.trusted + NestedVerb.untrusted, .together) {
        Self.unlawful($0, Self.nested)
      })
  }

  func testAFlatSumReturnsNoOlderValue() {
    let count = Extent.rounds(600, full: 200_000)
    XCTAssertNil(
      search(count, NestedVerb.trusted, .together) { Self.unlawful($0, Self.flat) })
  }

  func testPlantedFaultsAreFound() {
    for fault in NestedFault.all {
      let found = search(Extent.rounds(400, full: 4_000), [fault.verb], fault.pace) { program in
        program.pace == .together
          ? Self.unlawful(program, Self.nested) : Self.difference(program, Self.nested)
      }
      XCTAssertNotNil(found, fault.verb.name)
    }
  }
}
