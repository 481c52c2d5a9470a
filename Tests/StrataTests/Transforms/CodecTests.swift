import Foundation
import XCTest

@testable import Strata

final class CodecTests: XCTestCase {
  private struct Broken: Error, Equatable {}
  private struct Article: Codable, Equatable { let title: String }

  private func undecodable<Stored: Sendable, Value: Sendable>(
    _ codec: Codec<Stored, Value>, _ stored: Stored
  ) -> Bool {
    guard case .undecodable? = codec.decode(stored).outcome?.error as? CacheError else {
      return false
    }
    return true
  }

  func testThenReadsThereAndWritesBackInTurn() {  // T22
    let one = Codec<Int, String>(decode: { "\($0)" }, encode: { Int($0) ?? 0 })
    let two = Codec<String, [String]>(decode: { [$0, "b"] }, encode: { $0[0] })
    XCTAssertEqual((one >>> two).decode(5).outcome?.value, ["5", "b"])
    XCTAssertEqual((one >>> two).encode(["7"]).outcome?.value, 7)
    XCTAssertEqual((one >>> two).inverse.decode(["7"]).outcome?.value, 7)
  }

  func testAFailureInEitherStageFailsTheWhole() {  // T22
    let broken = Codec<Int, Int>(decode: { _ in throw Broken() }, encode: { _ in throw Broken() })
    let error = Promise<Int>(error: Broken()).answer
    for codec in [broken >>> .shifted, .shifted >>> broken] {
      XCTAssertEqual([codec.decode(0).answer, codec.encode(0).answer], [error, error])
    }
    let transformers = [
      broken.decoding >>> .identity, Transformer<Int, Int>.identity >>> broken.decoding,
    ]
    XCTAssertEqual(transformers.map { $0(0).answer }, [error, error])
  }

  func testFunctionsOfAnyKindMakeACodecAndATransformer() async throws {
    let async = Codec<Int, Int>(
      decode: { stored async throws -> Int in stored + 1 },
      encode: { value async throws -> Int in value - 1 })
    let promising = Codec<Int, Int>(decode: { Promise($0 + 1) }, encode: { Promise($0 - 1) })
    for codec in [async, promising] {
      let (there, back) = (try await codec.decode(1).value, try await codec.encode(1).value)
      XCTAssertEqual([there, back], [2, 0])
    }
    let slow = Transformer<Int, Int> { input async throws -> Int in input * 2 }
    let twice = try await (slow >>> slow)(3).value
    XCTAssertEqual(twice, 12)
  }

  func testJSONReadsAndWritesValuesAndFailsForOthers() {  // T55
    let codec: Codec<Data, Article> = .json()
    let data = codec.encode(Article(title: "é")).outcome?.value ?? Data()
    XCTAssertEqual(codec.decode(data).outcome?.value, Article(title: "é"))
    XCTAssertTrue(undecodable(codec, Data("{}".utf8)))
    XCTAssertTrue(undecodable(codec, Data()))
    XCTAssertEqual(Codec<Data, [Int]>.json().decode(Data("[1,2]".utf8)).outcome?.value, [1, 2])
    XCTAssertEqual(Codec<Data, Int>.json().decode(Data("7".utf8)).outcome?.value, 7)
    guard
      case .unencodable? = Codec<Data, Double>.json().encode(.nan).outcome?.error as? CacheError
    else { return XCTFail("NaN is no JSON.") }
  }

  func testDeeplyNestedJSONIsAnErrorAndNoCrash() {
    let depth = 100_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    XCTAssertTrue(undecodable(Codec<Data, [Int]>.json(), Data(text.utf8)))
  }

  func testTextFailsForBytesThatAreNone() {  // T55
    XCTAssertTrue(undecodable(.utf8, Data([0xff, 0xfe])))
    XCTAssertTrue(undecodable(.string(.ascii), Data([0xff])))
    XCTAssertTrue(undecodable(.base64, "not base64!"))
    guard case .unencodable? = Codec.string(.ascii).encode("é").outcome?.error as? CacheError
    else { return XCTFail("ASCII has no é.") }
  }

  func testAnErrorAboutALongTextIsShort() {
    let error = Codec.base64.decode(String(repeating: "!", count: 1_000_000)).outcome?.error
    XCTAssertLessThan("\(error.map { "\($0)" } ?? "")".count, 500)
  }

  func testAnotherVersionIsAFailureOfItsOwn() {
    let old: Codec<Data, String> = .versioned(1, .utf8)
    let new: Codec<Data, String> = .versioned(2, .utf8)
    let data = old.encode("text").outcome?.value ?? Data()
    XCTAssertEqual(old.decode(data).answer, "text")
    let error = CacheError.otherVersion(found: 1, expected: 2)
    XCTAssertEqual(new.decode(data).outcome?.error as? CacheError, error)
    XCTAssertTrue(undecodable(new, Data("text".utf8)))
    XCTAssertTrue(undecodable(new, Data("STV1".utf8)))
    XCTAssertEqual(old.decode(data.dropFirst(0)).answer, "text")
    let padded = (Data([9, 9]) + data).dropFirst(2)
    XCTAssertEqual(old.decode(padded).answer, "text", "A slice is read from its own beginning.")
  }

  func testARecordOfAnOlderModelIsReplaced() {
    let disk: Cache<Int, Data> = .memory()
    (disk <*> .versioned(1, .json())).set(Article(title: "old"), for: 0)
    let cache = disk <*> .versioned(2, .json()) + Fetcher { _ in Article(title: "new") }
    XCTAssertEqual(cache.get(0).outcome?.value, Article(title: "new"))
    let stored = (disk <*> .versioned(2, .json()) as Cache<Int, Article>).get(0)
    XCTAssertEqual(stored.outcome?.value, Article(title: "new"))
  }
}
