import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class BulkGetTests: XCTestCase {
  /// The lists of keys that a bulk get received.
  private let calls = Lock<[[Int]]>([])

  private func level(_ answers: [Promise<Int>.Outcome]) -> Cache<Int, Int> {
    let calls = calls
    return Cache<Int, Int>(get: { _ in Promise(-1) }, set: { _, _ in Promise() }).gettingMany(
      BulkGet { keys in
        calls.withLock { $0.append(keys) }
        return [Promise(keys.map { answers[$0] })]
      })
  }

  private var received: [[Int]] { calls.withLock { $0 } }

  func testManyKeysReachTheLevelInOneCall() {
    let level = level([.success(5), .success(6), .success(7)])
    XCTAssertEqual(level.values(of: [2, 0, 2]).outcome?.value, [7, 5, 7])
    XCTAssertEqual(level.batched().get([1]).outcome?.value, [6])
    XCTAssertEqual(level.known(of: [1, 0, 1]).outcome?.value, [1: 6, 0: 5])
    XCTAssertEqual(received, [[2, 0, 2], [1], [1, 0, 1]])
  }

  func testTheFirstFailureInTheOrderOfTheKeysIsTheAnswer() {
    let level = level([.success(5), .failure(Broken.here), .cancelled])
    XCTAssertTrue(level.values(of: [0, 1, 2]).outcome?.error is Broken)
    XCTAssertEqual(level.values(of: [0, 2, 1]).outcome?.isCancelled, true)
    XCTAssertEqual(level.known(of: [0, 1, 2]).outcome?.value, [0: 5])
  }

  func testAPartThatFailsDoesNotShiftTheValuesOfTheNextPart() {
    let level = Cache<Int, Int>(get: { _ in Promise(-1) }, set: { _, _ in Promise() }).gettingMany(
      BulkGet { _ in [Promise(error: Broken.here), Promise([.success(6)])] })
    let outcomes = level.outcomes(of: [0, 1]).outcome?.value
    XCTAssertEqual(outcomes?.map { $0.error is Broken }, [true, true])
  }

  func testEachPartSettlesItsKeysAndAFailureDoesNotWaitForLaterParts() {
    let (early, late) = (Later<[Promise<Int>.Outcome]>(), Later<[Promise<Int>.Outcome]>())
    let level = Cache<Int, Int>(get: { _ in Promise(-1) }, set: { _, _ in Promise() }).gettingMany(
      BulkGet { _ in [early.promise, late.promise] })
    let (all, other, some) = (
      level.values(of: [0, 1]), level.values(of: [0, 1]), level.known(of: [0, 1])
    )
    let cancelled = level.values(of: [0, 1])
    cancelled.cancel()
    early.continuation.succeed([.failure(Broken.here)])
    XCTAssertTrue(all.outcome?.error is Broken)
    XCTAssertTrue(other.outcome?.error is Broken)
    XCTAssertEqual(cancelled.outcome?.isCancelled, true)
    XCTAssertNil(some.outcome)
    late.continuation.succeed([.success(6)])
    XCTAssertEqual(some.outcome?.value, [1: 6])
  }

  func testKeysAndValuesAreConverted() {
    let level = level([.success(5), .failure(Broken.here), .success(7)])
    let texts =
      { (text: String) in text.count } <^> level
      <*> Codec(decode: { "\($0)" }, encode: { Int($0) ?? 0 })
    XCTAssertEqual(texts.values(of: ["aa", ""]).outcome?.value, ["7", "5"])
    XCTAssertEqual(texts.known(of: ["a", "bb"]).outcome?.value, ["bb": "7"])
    XCTAssertEqual(received, [[2, 0], [1, 2]])
  }

  func testValuesThatAreDecodedLaterKeepTheirOrder() async throws {
    let level = level([.success(5), .success(6)])
    let slow =
      level
      <*> Codec(
        decode: { value -> String in
          await Task.yield()
          return "\(value)"
        }, encode: { text -> Int in Int(text) ?? 0 })
    let all = try await slow.values(of: [1, 0, 1]).value
    XCTAssertEqual(all, ["6", "5", "6"])
  }

  func testAKeyThatCannotBeConvertedMakesTheGetsSeparate() {
    let level = level([.success(5)])
    let some =
      { (key: Int) throws -> Int in if key > 0 { throw Broken.here } else { key } } <^> level
    XCTAssertTrue(some.values(of: [0, 1]).outcome?.error is Broken)
    XCTAssertEqual(some.known(of: [0, 1]).outcome?.value, [0: -1])
    XCTAssertEqual(received, [])
  }

  func testAVerbThatChangesGetsMakesTheGetsSeparate() {
    let level = level([.success(5)])
    let doubled = level.transformingGet("doubled") { get in { key in get(key).map { $0 * 2 } } }
    XCTAssertEqual(doubled.values(of: [0]).outcome?.value, [-2])
    XCTAssertEqual((.memory() + level).values(of: [0]).outcome?.value, [-1])
    XCTAssertEqual(received, [])
  }

  func testALevelWithABulkGetObeysTheLawsOfALevel() throws {
    try Laws.check(
      .level {
        let level = Cache<String, Int>.dictionary()
        let bulk = level.gettingMany(
          BulkGet { keys in [Promise<Int>.outcomes(of: keys.map(level.get))] })
        return { (key: String) in key + "!" } <^> bulk <*> .identity
      }, cases: Extent.cases(50))
  }
}
