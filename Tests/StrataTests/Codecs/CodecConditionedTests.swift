import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class CodecConditionedTests: XCTestCase {
  private let unmet = Promise<Int>(error: CacheError.conditionNotSatisfied).answer

  func testATransformerIsUsedWhereItsConditionHolds() {  // T30
    let half = Transformer<Int, Int> { $0 / 2 }.conditioned { $0.isMultiple(of: 2) }
    XCTAssertEqual([half(4).answer, half(3).answer], ["2", unmet])
    let broken = Transformer<Int, Int> { $0 }.conditioned { _ in throw Broken.here }
    XCTAssertEqual(broken(1).answer, "Broken.here")
  }

  func testEachDirectionOfACodecHasItsOwnCondition() {  // T30
    let codec = Codec<Int, Int>.shifted.conditioned(decoding: { $0 < 5 }, encoding: { $0 > 12 })
    XCTAssertEqual([codec.decode(4).answer, codec.decode(5).answer], ["14", unmet])
    XCTAssertEqual([codec.encode(13).answer, codec.encode(12).answer], ["3", unmet])
  }

  func testOneDirectionMayHaveNoCondition() {  // T30
    let codec = Codec<Int, Int>.shifted.conditioned(encoding: { _ in false })
    XCTAssertEqual([codec.decode(4).answer, codec.encode(14).answer], ["14", unmet])
  }

  func testTheInverseSwapsTheConditions() {
    let codec = Codec<Int, Int>.shifted.conditioned(decoding: { $0 < 5 }).inverse
    XCTAssertEqual([codec.encode(4).answer, codec.encode(5).answer], ["14", unmet])
  }

  func testAValueThatIsNotDecodedIsReadFromTheNextLevel() {
    let level = ScriptedLevel(0, LevelScript(contents: [0: 7]))
    let cache = level.cache <*> Codec.shifted.conditioned(decoding: { $0 < 5 })
    XCTAssertEqual((cache + Fetcher(offMainThread: false) { _ in 11 }).get(0).answer, "11")
    XCTAssertEqual(level.events, ["get 0", "set 0 1"])
  }

  func testAnAsyncConditionDelaysTheValue() async throws {
    let later = Later<Bool>()
    let codec = Codec<Int, Int>.shifted.conditioned(
      decoding: { _ async throws -> Bool in try await later.promise.value },
      encoding: { _ async throws -> Bool in false })
    let decoded = codec.decode(1)
    XCTAssertEqual(decoded.answer, "no answer")
    later.continuation.succeed(true)
    let value = try await decoded.value
    XCTAssertEqual(value, 11)
    do {
      _ = try await codec.encode(1).value
      XCTFail("The encoding should fail, because its condition isn't met.")
    } catch { XCTAssertEqual(error as? CacheError, .conditionNotSatisfied) }
  }

  func testAnAsyncConditionIsOneToo() async throws {
    let codec = Codec<Int, Int>.shifted.conditioned(
      decoding: { value async throws -> Bool in value == 1 },
      encoding: { value async throws -> Bool in value == 11 })
    let (decoded, encoded) = (try await codec.decode(1).value, try await codec.encode(11).value)
    XCTAssertEqual([decoded, encoded], [11, 1])
    let transformer = Transformer<Int, Int> { $0 }.conditioned { value async throws -> Bool in
      value == 1
    }
    let value = try await transformer(1).value
    XCTAssertEqual(value, 1)
  }
}
