import Foundation
import XCTest

@testable import Strata

final class PropertyListTests: XCTestCase {
  private struct Article: Codable, Equatable, Sendable {
    var title: String
    var date: Date
    var tags: [[String]]
  }

  private let article = Article(
    title: "é", date: Date(timeIntervalSince1970: 5), tags: [["a", "a"], []])

  func testBinaryIsWrittenAndBothFormatsAreRead() throws {
    let xml = PropertyListEncoder()
    xml.outputFormat = .xml
    let binary: Codec<Data, Article> = .propertyList()
    let text: Codec<Data, Article> = .propertyList(encoder: xml)
    let (short, long) = try (
      binary.encode(article).outcome?.get(), text.encode(article).outcome?.get()
    )
    XCTAssertEqual(short?.starts(with: Data("bplist00".utf8)), true)
    XCTAssertEqual(try binary.decode(XCTUnwrap(short)).outcome?.get(), article)
    XCTAssertEqual(try binary.decode(XCTUnwrap(long)).outcome?.get(), article)
  }

  func testWhatCouldNotBeReadIsNotWritten() throws {
    indirect enum Nest: Codable, Sendable {
      case end
      case deeper(Nest)
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        if case .deeper(let nest) = self { try container.encode(nest) }
      }
      init(from decoder: any Decoder) throws { self = .end }
      init(_ depth: Int) { self = depth == 1 ? .end : .deeper(Nest(depth - 1)) }
    }
    let xml = PropertyListEncoder()
    xml.outputFormat = .xml
    let text: Codec<Data, [String]> = .propertyList(encoder: xml)
    let binary: Codec<Data, [String]> = .propertyList()
    let nests: Codec<Data, Nest> = .propertyList()
    let data = try XCTUnwrap(binary.encode(["a\0b"]).outcome?.get())
    XCTAssertEqual(try binary.decode(data).outcome?.get(), ["a\0b"])
    XCTAssertNotNil(nests.encode(Nest(128)).outcome?.value)
    for error in [text.encode(["a\0b"]).outcome?.error, nests.encode(Nest(130)).outcome?.error] {
      guard case .unencodable(by: "propertyList", _)? = error as? CacheError else {
        XCTFail("\(String(describing: error))")
        continue
      }
    }
  }

  func testWhatIsNoneFailsAsUndecodable() {
    let codec: Codec<Data, Article> = .propertyList()
    for text in ["", "<", "bplist00", "{}", String(repeating: "no ", count: 1000)] {
      let error = codec.decode(Data(text.utf8)).outcome?.error
      guard case .undecodable(by: "propertyList", let reason)? = error as? CacheError else {
        XCTFail("\(text): \(String(describing: error))")
        continue
      }
      XCTAssertLessThanOrEqual(reason.unicodeScalars.count, 201)
    }
  }

  func testManyEmptyContainersBesideEachOtherAreNoNesting() {
    let codec: Codec<Data, [[String]]> = .propertyList()
    let many = Array(repeating: [String](), count: 1000)
    XCTAssertEqual(codec.encode(many).flatMap(codec.decode).outcome?.value, many)
    let xml = "<plist><array>" + String(repeating: "<array/>", count: 1000) + "</array></plist>"
    XCTAssertEqual(codec.decode(Data(xml.utf8)).outcome?.value, many)
    let dates: Codec<Data, [Date]> = .propertyList(encoder: PropertyListEncoder())
    let days = (0..<300).map { Date(timeIntervalSince1970: Double($0)) }
    XCTAssertEqual(dates.encode(days).flatMap(dates.decode).outcome?.value, days)
  }

  func testDeepAndCircularListsAreRefusedBeforeFoundationOverflowsTheStack() {
    let lists = [
      Data(xml(depth: 600).utf8), Data(xml(depth: 100_000).utf8), chain(600, isCircle: false),
      chain(1, isCircle: true), chain(7, isCircle: true), chain(100_000, isCircle: false),
      Data((String(repeating: "(", count: 10_000)).utf8),
      xml(depth: 600).data(using: .utf16)!,
    ]
    let errors = onSmallStack {
      lists.map { Codec<Data, [String]>.propertyList().decode($0).outcome?.error as? CacheError }
    }
    for error in errors {
      XCTAssertEqual(
        error,
        .undecodable(
          by: "propertyList", reason: "damaged, nested more than 128 deep, or XML with a NUL"))
    }
    XCTAssertNoThrow(try PropertyListDepth.check(Data(xml(depth: 128).utf8)))
    XCTAssertThrowsError(try PropertyListDepth.check(Data(xml(depth: 129).utf8)))
    XCTAssertNoThrow(try PropertyListDepth.check(chain(128, isCircle: false)))
  }

  func testADamagedBinaryListIsNeverACrash() throws {
    let codec: Codec<Data, Article> = .propertyList()
    let whole = try XCTUnwrap(codec.encode(article).outcome?.value)
    var random = Xorshift(state: 3)
    for _ in 0..<4_000 {
      var data = whole
      for _ in 0...Int(random.next() % 3) {
        data[Int(random.next() % UInt64(data.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      XCTAssertNotNil(codec.decode(data).outcome)
    }
  }

  private func xml(depth: Int) -> String {
    "<?xml version=\"1.0\"?><plist version=\"1.0\">" + String(repeating: "<array>", count: depth)
      + String(repeating: "</array>", count: depth) + "</plist>"
  }

  /// A binary list of arrays, each of which contains the next, and the last one perhaps the first.
  private func chain(_ count: Int, isCircle: Bool) -> Data {
    func bytes(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var data = Data("bplist00".utf8)
    var offsets: [Int] = []
    for number in 0..<count {
      offsets.append(data.count)
      let isLast = number == count - 1
      data += isLast && !isCircle ? [0xA0] : [0xA1] + bytes((number + 1) % count, 4)
    }
    let table = data.count
    for offset in offsets { data += bytes(offset, 4) }
    data += [0, 0, 0, 0, 0, 0, 4, 4] + bytes(count, 8) + bytes(0, 8) + bytes(table, 8)
    return data
  }

  func testWhatHidesItsDepthOrKeepsItsReaderBusyIsRefused() {
    struct Deep: Codable, Sendable {}
    let codec: Codec<Data, [Deep]> = .propertyList()
    let head = "<?xml version=\"1.0\"?><plist version=\"1.0\">"
    let deep = String(repeating: "<array>", count: 3_000)
    let closing = String(repeating: "</array>", count: 3_000)
    let hidden = [
      head + "<!--" + closing + "-->" + deep + closing + "</plist>",
      head + "<string><![CDATA[" + closing + "]]></string>" + deep + closing + "</plist>",
      head + String(repeating: "<array a=\"x/>\">", count: 3_000),
      "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"<array>\">]><plist>&a;</plist>",
      "<?xml version=\"1.0\"?>" + String(repeating: "<", count: 200_000),
    ]
    for text in hidden {
      guard case .undecodable? = codec.decode(Data(text.utf8)).outcome?.error as? CacheError else {
        XCTFail(String(text.prefix(60)))
        continue
      }
    }
  }
}
