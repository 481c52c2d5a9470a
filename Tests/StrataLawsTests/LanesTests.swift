import Strata
import XCTest

@testable import StrataLaws

/// Tests checks whose cases run at the same time.
final class LanesTests: XCTestCase {
  /// A level whose operations take a while, without using the processor.
  private static func slow(_ mistake: Bool = false) -> @Sendable () -> Cache<Int, Int> {
    {
      let held = Box<[Int: Int]>([:])
      let queue = DispatchQueue(label: "slow")
      @Sendable func later<Value>(_ body: @escaping @Sendable () throws -> Value) -> Promise<Value>
      {
        Promise { continuation in
          queue.async {
            gap()
            do { continuation.succeed(try body()) } catch { continuation.fail(error) }
          }
        }
      }
      return Cache(
        get: { key in later { try found(held.value[key]) } },
        set: { key, value in
          later { held.update { if !mistake || $0[key] == nil { $0[key] = value } } }
        },
        remove: { key in later { held.update { $0[key] = nil } } },
        clear: { later { held.value = [:] } })
    }
  }

  func testCasesThatOverlapFindTheSameViolation() throws {
    let law = try XCTUnwrap(
      Laws.level(make: Self.slow(true)).laws.first { $0.name == "level.reading" })
    let one = try XCTUnwrap(law.violation(7, 400))
    let many = try XCTUnwrap(law.violation(7, 400, atOnce: 8))
    XCTAssertEqual(one.number, many.number)
    XCTAssertEqual(one.program, many.program)
  }

  func testCasesOverlap() throws {
    let (running, most) = (Box(0), Box(0))
    let laws = Laws.level { () -> Cache<Int, Int> in
      Self.slow()().transformingGet("counting") { get in
        { key in
          let count = running.update { running in
            running += 1
            return running
          }
          most.update { $0 = max($0, count) }
          let answer = get(key)
          answer.observed { _ in running.update { $0 -= 1 } }
          return answer
        }
      }
    }
    let law = try XCTUnwrap(laws.laws.first { $0.name == "level.reading" })
    XCTAssertNil(law.violation(7, 64, atOnce: 8))
    XCTAssertGreaterThan(most.value, 1)
    most.value = 0
    XCTAssertNil(law.violation(7, 8))
    XCTAssertEqual(most.value, 1)
  }

  func testACorrectLevelIsLawfulIfItsCasesOverlap() async throws {
    try await Laws.check(.level(make: Self.slow()), atOnce: 16, cases: 16)
    try await Laws.check(.level { Cache<Int, Int>.dictionary() }, atOnce: 3, cases: 60)
  }
}
