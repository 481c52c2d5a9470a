import Foundation
import Strata
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What Droste and layercache have and Carlos has not, row by row.
final class FromDrosteTests: MigrationCase {
  func testPromisesInCodecs() throws {
    let same: Codec<Data, Data> = Codec(decode: { Promise($0) }, encode: { Promise($0) })
    XCTAssertNoThrow(try now((upper <*> same).set(Data(), for: "a")))
  }

  func testSkipping() {
    let open = upper.skipping { key in key == "secret" }
    upper.set(bytes("x"), for: "secret")
    XCTAssertEqual(open.get("secret").outcome?.error as? CacheError, .conditionNotSatisfied)
  }

  func testLevels() {
    let ram: Cache<URL, Int> = .memory()
    let map: Cache<URL, Int> = .dictionary()
    XCTAssertEqual([ram.plan.description, map.plan.description], ["memory(1000)", "dictionary"])
    XCTAssertEqual(Fetcher<URLRequest, Data>.network().plan.description, "network")
  }

  func testOneKey() throws {
    let single = { (_: Int) in "" } <^> upper
    single.set(bytes("x"), for: 1)
    XCTAssertEqual(try now(single.get(2)), bytes("x"))
  }

  func testManyAtOnce() throws {
    let data = bytes("x")
    XCTAssertNotNil(upper.batched().set([data, data], for: ["a", "b"]).outcome?.value)
    XCTAssertEqual(try now(upper.getSome(["a", "b"])), ["a": data, "b": data])
  }

  func testACodecThatSeals() throws {
    let seal: @Sendable (Data) throws -> Data = { Data($0.map { $0 ^ 0x55 }) }
    let open: @Sendable (Data) throws -> Data = { Data($0.map { $0 ^ 0x55 }) }
    let sealed = upper <*> Codec(decode: open, encode: seal)
    sealed.set(bytes("x"), for: "a")
    XCTAssertEqual(try now(sealed.get("a")), bytes("x"))
    XCTAssertNotEqual(try now(upper.get("a")), bytes("x"))
  }

  func testAnswersAsTheyCome() {
    let ends = Journal<String>()
    let promise = lower.get("none")
    promise.onCompletion { ends.note("\($0)") }
    XCTAssertEqual(ends.count, 1)
  }
}
