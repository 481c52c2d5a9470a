import XCTest

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Parts of representations.
final class HTTPExchangeCompleteTests: XCTestCase {
  private let text = "0123456789"

  private func scene(tag: String? = "\"1\"") -> HTTPScene {
    let scene = HTTPScene()
    scene.origin.replies { [text] head in
      var fields: HeaderFields = ["Cache-Control": "max-age=60"]
      fields["ETag"] = tag
      guard let range = ByteRange(head.fields)?.positions(in: 10) else {
        return (200, fields, text)
      }
      fields["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/10"
      return (206, fields, String(text.dropFirst(range.lowerBound).prefix(range.count)))
    }
    return scene
  }

  func testAPartIsReused() throws {
    let scene = scene()
    XCTAssertEqual(try scene.outcome(["Range": "bytes=2-6"]), "miss 23456")
    XCTAssertEqual(try scene.outcome(["Range": "bytes=3-4"]), "hit 34")
    XCTAssertEqual(scene.origin.count, 1)
  }

  func testPartsOfOneTagAreCombined() throws {
    let scene = scene()
    try scene.get(["Range": "bytes=0-4"])
    XCTAssertEqual(try scene.get(["Range": "bytes=5-"]).status.forward, .partial)
    XCTAssertEqual(try scene.outcome(["Range": "bytes=3-6"]), "hit 3456")
    XCTAssertEqual(try scene.outcome(), "hit \(text)")
    XCTAssertEqual(scene.origin.count, 2)
  }

  /// Some origins give the compressed and the plain form of a page the same tag.
  func testPartsOfAnotherFormAreNotCombined() throws {
    let forms: [HeaderFields] = [
      ["Content-Encoding": "gzip"], ["Content-Type": "text/html"],
      ["Content-Type": "multipart/byteranges; boundary=x"],
      ["Content-Type": "Multipart/ByteRanges; boundary=x"],
    ]
    for form in forms {
      for fields: HeaderFields in [[:], ["Range": "bytes=5-9"]] {
        let scene = HTTPScene()
        scene.origin.replies { head in
          let joined = { (parts: HeaderFields...) in HeaderFields(parts.flatMap { Array($0) }) }
          let common: HeaderFields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
          switch head.fields["Range"] {
          case nil: return (200, common, "0123456789")
          case "bytes=0-4":
            let plain: HeaderFields = [
              "Content-Type": "text/plain", "Content-Range": "bytes 0-4/10",
            ]
            return (206, joined(common, plain), "01234")
          default:
            return (206, joined(common, form, ["Content-Range": "bytes 5-9/10"]), "abcde")
          }
        }
        try scene.get(["Range": "bytes=0-4"])
        try scene.get(fields)
        let answer = try scene.get()
        XCTAssertEqual(answer.response.text, "0123456789", "\(form)")
      }
    }
  }

  /// A 206 can omit the fields that describe the whole (RFC 9110, section 15.3.7).
  func testPartsThatDoNotStateTheirFormAreCombined() throws {
    let scene = HTTPScene()
    scene.origin.replies { head in
      let isRest = head.fields["Range"] == "bytes=5-"
      var fields: HeaderFields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
      fields["Content-Type"] = isRest ? nil : "text/plain"
      fields["Content-Range"] = isRest ? "bytes 5-9/10" : "bytes 0-4/10"
      return (206, fields, isRest ? "56789" : "01234")
    }
    try scene.get(["Range": "bytes=0-4"])
    let answer = try scene.get()
    XCTAssertEqual(answer.response.text, "0123456789")
    XCTAssertEqual(answer.response.fields["Content-Type"], "text/plain")
  }

  func testAPartThatNobodyAskedForReplacesNothing() throws {
    for range in ["bytes 0-3/10", "bytes 0-3/4"] {
      let scene = HTTPScene()
      scene.origin.replies(["Cache-Control": "max-age=10", "ETag": "\"1\""], "good")
      try scene.get()
      scene.wait(20)
      scene.origin.replies(
        ["Cache-Control": "max-age=10", "ETag": "\"2\"", "Content-Range": range], "part",
        status: 206)
      let answer = try scene.get()
      XCTAssertEqual(answer.response.status, 206)
      XCTAssertEqual(answer.status.detail, "range")
      scene.origin.isDown()
      XCTAssertEqual(try scene.outcome(), "hit good")
      XCTAssertThrowsError(try scene.get(["Range": "bytes=0-1", "Cookie": "other"]))
    }
  }

  func testPartsWithoutAStrongTagReplaceEachOther() throws {
    for tag in [nil, "W/\"1\""] {
      let scene = scene(tag: tag)
      try scene.get(["Range": "bytes=0-4"])
      try scene.get(["Range": "bytes=5-"])
      XCTAssertEqual(try scene.outcome(["Range": "bytes=3-6"]), "miss 3456")
    }
  }

  func testOnlyTheRestIsRequestedToCompleteABeginning() throws {
    let scene = scene()
    try scene.get(["Range": "bytes=0-4"])
    let answer = try scene.get()
    XCTAssertEqual(scene.origin.last?.fields["Range"], "bytes=5-")
    XCTAssertEqual(scene.origin.last?.fields["If-Range"], "\"1\"")
    XCTAssertEqual(answer.response.status, 200)
    XCTAssertEqual(answer.response.text, text)
    XCTAssertNil(answer.response.fields["Content-Range"])
    XCTAssertEqual(try scene.outcome(), "hit \(text)")
  }

  func testABeginningWithAWeakTagIsNotCompleted() throws {
    let scene = scene(tag: "W/\"1\"")
    try scene.get(["Range": "bytes=0-4"])
    XCTAssertEqual(try scene.outcome(), "miss \(text)")
    XCTAssertNil(scene.origin.last?.fields["Range"])
    XCTAssertNil(scene.origin.last?.fields["If-Range"])
  }

  func testARestOfAnotherRepresentationIsDiscarded() throws {
    let scene = scene()
    try scene.get(["Range": "bytes=0-4"])
    scene.origin.replies { head in
      let fields: HeaderFields = ["Cache-Control": "max-age=60", "ETag": "\"2\""]
      guard head.fields.contains("Range") else { return (200, fields, "abcdefghij") }
      return (
        206, HeaderFields(fields + [.init(name: "Content-Range", value: "bytes 5-9/10")]), "fghij"
      )
    }
    XCTAssertEqual(try scene.outcome(), "miss abcdefghij")
  }

  func testAnEndIsNotCompleted() throws {
    let scene = scene()
    try scene.get(["Range": "bytes=5-"])
    XCTAssertEqual(try scene.outcome(), "miss \(text)")
    XCTAssertNil(scene.origin.last?.fields["Range"])
  }

  func testAStalePartIsValidatedForItsOwnRangesOnly() throws {
    let scene = scene()
    try scene.get(["Range": "bytes=2-6"])
    scene.wait(61)
    scene.origin.replies { head in
      head.fields.contains("If-None-Match") ? (304, [:], "") : (200, ["ETag": "\"2\""], "new")
    }
    XCTAssertEqual(try scene.outcome(["Range": "bytes=3-4"]), "revalidated 34")
    scene.wait(61)
    XCTAssertEqual(try scene.outcome(["Range": "bytes=7-8"]), "miss new")
  }

  func testAStaleCompleteResponseIsValidatedForARange() throws {
    let scene = scene()
    try scene.get()
    scene.wait(61)
    scene.origin.replies([:], "", status: 304)
    let answer = try scene.get(["Range": "bytes=3-4"])
    XCTAssertEqual(answer.response.status, 206)
    XCTAssertEqual(answer.response.text, "34")
  }

  func testAPartDoesNotAnswerOffline() throws {
    let scene = scene()
    try scene.get(["Range": "bytes=0-4"])
    XCTAssertEqual(try scene.get(["Cache-Control": "only-if-cached"]).response.status, 504)
  }
}
