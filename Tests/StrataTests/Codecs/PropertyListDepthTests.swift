import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class PropertyListDepthTests: XCTestCase {
  func testManyAdjacentEmptyContainersAreNotNested() {
    let codec: Codec<Data, [[String]]> = .propertyList()
    let many = Array(repeating: [String](), count: 1000)
    XCTAssertEqual(codec.encode(many).flatMap(codec.decode).outcome?.value, many)
    let xml = "<plist><array>" + String(repeating: "<array/>", count: 1000) + "</array></plist>"
    XCTAssertEqual(codec.decode(Data(xml.utf8)).outcome?.value, many)
    let dates: Codec<Data, [Date]> = .propertyList(encoder: PropertyListEncoder())
    let days = (0..<300).map { Date(timeIntervalSince1970: Double($0)) }
    XCTAssertEqual(dates.encode(days).flatMap(dates.decode).outcome?.value, days)
  }

  func testAListThatRepeatsItsArraysIsRefusedBeforeItIsDecoded() {
    // Each of the arrays contains the next one five times.
    func list(_ count: Int) -> Data {
      var (bytes, offsets) = (Data("bplist00".utf8), [UInt8]())
      for index in 1...count {
        offsets.append(UInt8(bytes.count))
        bytes += index < count ? [0xA5] + [UInt8](repeating: UInt8(index), count: 5) : [0xA0]
      }
      let numbers = [UInt8(count), 0, UInt8(bytes.count)].map { number in
        [UInt8](repeating: 0, count: 7) + [number]
      }
      return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + numbers.joined()
    }
    XCTAssertNoThrow(try PropertyListDepth.check(list(4)))
    for count in [9, 30] { XCTAssertThrowsError(try PropertyListDepth.check(list(count))) }
  }

  func testDeepAndCircularListsAreRefusedBeforeFoundationOverflowsTheStack() {
    let lists = [
      Data(xml(depth: 600).utf8), Data(xml(depth: 100_000).utf8), chain(600, isCircle: false),
      chain(1, isCircle: true), chain(7, isCircle: true), chain(100_000, isCircle: false),
      Data((String(repeating: "(", count: 10_000)).utf8),
      Data(("(<00>, " + String(repeating: "(", count: 10_000)).utf8),
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
    let parentheses = { Data(String(repeating: "(", count: $0).utf8) }
    XCTAssertNoThrow(try PropertyListDepth.check(parentheses(128)))
    XCTAssertThrowsError(try PropertyListDepth.check(parentheses(129)))
  }

  func testAnyObjectOfABinaryListCanBeItsTop() {
    let codec: Codec<Data, [[String]]> = .propertyList()
    let list = list([[0xA0], [0xA1] + bytes(0, 4)], top: 1)
    XCTAssertEqual(codec.decode(list).outcome?.value, [[]])
  }

  func testDamagedBinaryListsAreRefused() {
    let damaged = [
      list([[0xA1] + bytes(1, 4)]),  // A reference to an object that the list doesn't have.
      list([[0xA0]], top: 1),
      list([[0xA0]], offsetSize: 0), list([[0xA0]], offsetSize: 9),
      list([[0xA0]], referenceSize: 0), list([[0xA0]], referenceSize: 9),
    ]
    for list in damaged { XCTAssertThrowsError(try PropertyListDepth.check(list)) }
    for size in [1, 8] {
      XCTAssertNoThrow(
        try PropertyListDepth.check(list([[0xA0]], offsetSize: size, referenceSize: size)))
    }
  }

  /// The first array decodes the number 588 times, so the search takes 1,597 steps. A list of 100
  /// bytes permits 1,600 steps.
  func testALongerListMayRepeatItsObjectsMoreOften() {
    for (spare, isFine) in [(20, false), (21, true)] {
      let list = list(
        [
          [0xAE] + [UInt8](repeating: 1, count: 14), [0xAE] + [UInt8](repeating: 2, count: 14),
          [0xA3, 3, 3, 3], [0x08] + [UInt8](repeating: 0, count: spare),
        ], offsetSize: 1, referenceSize: 1)
      XCTAssertEqual(list.count, 79 + spare)
      XCTAssertEqual((try? PropertyListDepth.check(list)) != nil, isFine, "\(list.count) bytes")
    }
  }

  func testAListWithoutRoomForAnObjectIsRefused() {
    // The offset table is the last byte of the header, and its only object the byte before.
    let trailer = [0, 0, 0, 0, 0, 0, 1, 1] + bytes(1, 8) + bytes(0, 8) + bytes(7, 8)
    let short = Data("bplist".utf8) + [0x08, 0x06] + trailer
    XCTAssertEqual(short.count, 40)
    XCTAssertThrowsError(try PropertyListDepth.check(short))
    for count in 6..<40 { XCTAssertThrowsError(try PropertyListDepth.check(short.prefix(count))) }
  }

  func testHiddenDepthAndExpensiveListsAreRejected() {
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

  private func xml(depth: Int) -> String {
    "<?xml version=\"1.0\"?><plist version=\"1.0\">" + String(repeating: "<array>", count: depth)
      + String(repeating: "</array>", count: depth) + "</plist>"
  }

  /// Returns a binary property list in which each array contains the next array. If `isCircle` is
  /// true, the last array contains the first array.
  private func chain(_ count: Int, isCircle: Bool) -> Data {
    list(
      (0..<count).map { number in
        let isLast = number == count - 1
        return isLast && !isCircle ? [0xA0] : [0xA1] + bytes((number + 1) % count, 4)
      })
  }

  /// Returns a binary property list of encoded objects.
  private func list(
    _ objects: [[UInt8]], top: Int = 0, offsetSize: Int = 4, referenceSize: Int = 4
  ) -> Data {
    var data = Data("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(data.count)
      data += object
    }
    let table = data.count
    for offset in offsets { data += bytes(offset, offsetSize) }
    data += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    data += bytes(objects.count, 8) + bytes(top, 8) + bytes(table, 8)
    return data
  }

  private func bytes(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
