import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

final class JSONTests: XCTestCase {
  private struct Article: Codable, Equatable { let title: String }

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
    else { return XCTFail("Encoding NaN should fail.") }
  }

  func testDeeplyNestedJSONIsAnErrorAndNoCrash() {
    let depth = 100_000
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    XCTAssertTrue(undecodable(Codec<Data, [Int]>.json(), Data(text.utf8)))
  }

  /// A value that can contain itself at any depth.
  private final class Tree: Codable, Sendable {
    let parts: [Tree]
    init(_ parts: [Tree] = []) { self.parts = parts }

    static func chain(_ depth: Int) -> Tree {
      (1..<depth).reduce(Tree()) { tree, _ in Tree([tree]) }
    }
    var depth: Int {
      var (tree, depth) = (self, 1)
      while let next = tree.parts.first { (tree, depth) = (next, depth + 1) }
      return depth
    }
  }

  func testAModelThatIsNestedTooDeeplyForASmallStackIsAnError() {
    let codec = Codec<Data, Tree>.json()
    let outcomes = Lock<[String]>([])
    onSmallStack {
      for depth in [1, 64, 65, 1_000] {  // A tree has two containers for each of its levels.
        let answer = codec.encode(.chain(depth)).flatMap { codec.decode($0) }.map(\.depth).answer
        outcomes.withLock { $0.append(answer.contains("unencodable") ? "unencodable" : answer) }
        let text =
          String(repeating: "{\"parts\":[", count: depth)
          + String(repeating: "]}", count: depth)
        let decoded = codec.decode(Data(text.utf8)).map(\.depth).answer
        outcomes.withLock { $0.append(decoded.contains("undecodable") ? "undecodable" : decoded) }
      }
    }
    XCTAssertEqual(
      outcomes.withLock { $0 },
      ["1", "1", "64", "64"] + ["unencodable", "undecodable", "unencodable", "undecodable"])
  }

  func testTheDepthIsCountedOutsideOfStringsInEachEncodingOfText() throws {
    let brackets = String(repeating: "[", count: 1_000)
    let text = "[\"\(brackets)\\\"\(brackets)\"]"
    let codec = Codec<Data, [String]>.json()
    for encoding in [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf32BigEndian] {
      let data = try XCTUnwrap(text.data(using: encoding))
      XCTAssertEqual(codec.decode(data).outcome?.value, ["\(brackets)\"\(brackets)"])
      let deep = try XCTUnwrap((brackets + "]").data(using: encoding))
      XCTAssertTrue(codec.decode(deep).answer.contains("more than 128 levels"), "\(encoding)")
    }
  }

  func testTheDepthOfJSON5IsCountedOutsideOfCommentsAndOfBothKindsOfStrings() {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    let codec = Codec<Data, [String]>.json(decoder: decoder)
    let brackets = String(repeating: "[", count: 1_000)
    let fine = "[/*\(brackets)**/'\"\(brackets)', // \(brackets)\n\"'\(brackets)\"]"
    XCTAssertEqual(codec.decode(Data(fine.utf8)).outcome?.value?.count, 2)
    let deep = "['\"', \(brackets) '\"']"
    XCTAssertTrue(codec.decode(Data(deep.utf8)).answer.contains("more than 128 levels"))
  }

  private struct Event: Codable, Equatable, Sendable {
    var startTime = Date(timeIntervalSince1970: 86_400 * 365)
    var rawBytes = Data([1, 2, 250])
    var ratio = Double.infinity
    var tags: [String: Int8] = ["aB": 1]
  }

  func testACoderThatIsMissingTakesOverTheStrategiesOfTheOtherOne() {
    let floats = JSONDecoder.NonConformingFloatDecodingStrategy.convertFromString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    for date in [
      JSONDecoder.DateDecodingStrategy.iso8601, .deferredToDate, .secondsSince1970,
      .millisecondsSince1970,
    ] {
      for data in [JSONDecoder.DataDecodingStrategy.base64, .deferredToData] {
        for keys in [JSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase] {
          let decoder = JSONDecoder()
          decoder.dateDecodingStrategy = date
          decoder.dataDecodingStrategy = data
          decoder.keyDecodingStrategy = keys
          decoder.nonConformingFloatDecodingStrategy = floats
          let codec = Codec<Data, Event>.json(decoder: decoder)
          let stored = codec.encode(Event()).outcome?.value ?? Data()
          XCTAssertEqual(codec.decode(stored).outcome?.value, Event())
          let encoder = try? JSONStrategies.encoder(matching: decoder).get()
          let mirrored = Codec<Data, Event>.json(encoder: encoder)
          XCTAssertEqual(mirrored.decode(stored).outcome?.value, Event())
          XCTAssertEqual(mirrored.encode(Event()).outcome?.value?.count, stored.count)
        }
      }
    }
  }

  func testACustomStrategyDemandsBothCoders() {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { _ in Date() }
    let dates = Codec<Data, [Date]>.json(decoder: decoder)
    XCTAssertTrue(dates.encode([Date()]).answer.contains("strategy for dates and no encoder"))
    XCTAssertEqual(Codec<Data, [Int]>.json(decoder: decoder).encode([1]).outcome?.value?.count, 3)
    let keys = JSONDecoder()
    keys.keyDecodingStrategy = .custom { $0.last ?? JSONName("") }
    let named = Codec<Data, [String: Int]>.json(decoder: keys)
    XCTAssertTrue(named.encode(["a": 1]).answer.contains("pass both"))
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .custom { _, encoder in
      var container = encoder.singleValueContainer()
      try container.encode("bytes")
    }
    let bytes = Codec<Data, [Data]>.json(encoder: encoder)
    XCTAssertTrue(bytes.decode(Data("[\"bytes\"]".utf8)).answer.contains("no decoder to match"))
  }

  private struct JSONName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}
