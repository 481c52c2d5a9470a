import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

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

  func testAValueThatCannotBeDecodedIsNotEncoded() throws {
    indirect enum Nest: Codable, Sendable {
      case end
      case deeper(Nest)
      func encode(to encoder: any Swift.Encoder) throws {
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

  func testDataThatIsNotAPropertyListIsUndecodable() {
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

  private final class Tree: Codable, Sendable {
    let parts: [Tree]
    init(_ parts: [Tree] = []) { self.parts = parts }
  }

  func testAModelThatIsNestedTooDeeplyIsNotEncoded() {
    let answer = onSmallStack {
      let deep = (0..<1_000).reduce(Tree()) { tree, _ in Tree([tree]) }
      return Codec<Data, Tree>.propertyList().encode(deep).answer
    }
    XCTAssertTrue(answer.contains("nested more than 128 levels"), answer)
  }
}
