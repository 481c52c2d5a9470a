import Foundation
import Strata
import StrataHTTP
import XCTest

/// Tests the examples from the README of Carlos, in its order, as they are written in Strata.
/// `FromPiedPiperTests` has those of PiedPiper.
final class CarlosExamplesTests: MigrationCase {
  private let page = URL(fileURLWithPath: "/page")
  private let ends = Journal<String>()

  func testPresetsAreCaches() {
    let data: Cache<URL, Data> = CachePresets.data()
    let json: Cache<URL, JSONValue> = CachePresets.json()
    XCTAssertEqual([data.plan.advice.count, json.plan.advice.count], [0, 0])
  }

  func testARequestAcceptsListenersAtAnyTime() {
    _ = upper.set("key", bytes("value"))
    let request = upper.get("key")
    request.onSuccess { [ends] value in ends.note("found \(value.count)") }
      .onFailure { [ends] error in ends.note("failed \(error)") }
    request.onSuccess { [ends] value in ends.note("read \(value.count), too") }
    request.onCompletion { [ends] outcome in
      switch outcome {
      case .success(let value): ends.note("a value of \(value.count)")
      case .failure(let error): ends.note("an error: \(error)")
      case .cancelled: ends.note("cancelled")
      }
    }
    XCTAssertEqual(ends.entries, ["found 5", "read 5, too", "a value of 5"])
  }

  func testAKeyMapThatThrowsMakesTheGetFail() throws {
    struct NoURL: Error {}
    let pages = Fetcher<URL, Data>(offMainThread: false) { url in Data(url.absoluteString.utf8) }
    let byText: Fetcher<String, Data> =
      { text in
        guard let url = URL(string: text) else { throw NoURL() }
        return url
      } <^> pages
    let cache: Cache<String, Data> = upper + byText
    XCTAssertEqual(try now(cache.get("https://a.test")), bytes("https://a.test"))
    XCTAssertTrue(cache.get("").outcome?.error is NoURL)
  }

  func testAKeyWithAnIdentifierAndAURLNeverFails() throws {
    struct Image: Hashable, Sendable {
      var identifier: String
      var url: URL
    }
    let network = Fetcher<URL, Data>(offMainThread: false) { url in Data(url.path.utf8) }
    let images: Cache<Image, Data> =
      \.identifier <^> upper + \.identifier <^> lower + \.url <^> network
    XCTAssertEqual(try now(images.get(Image(identifier: "one", url: page))), bytes("/page"))
    XCTAssertEqual(try now(lower.get("one")), bytes("/page"))
  }

  func testTheFunctionsOfACodecThrowInsteadOfReturningNil() throws {
    struct NotText: Error {}
    let text = Codec<Data, String>(
      decode: { data throws -> String in
        guard let text = String(data: data, encoding: .utf8) else { throw NotText() }
        return text
      },
      encode: { text throws -> Data in Data(text.utf8) })
    let texts: Cache<String, String> = lower <*> text
    _ = texts.set("a", "one")
    XCTAssertEqual(try now(texts.get("a")), "one")
    _ = lower.set("a", Data([0xff]))
    XCTAssertTrue(texts.get("a").outcome?.error is NotText)
  }

  func testPoolsLimitsAndConditions() throws {
    let pooled = upper + (lower + .constant(bytes("1"))).pooled()
    let capped = (upper + lower).limited(toConcurrentGets: 3)
    let conditioned = lower.conditioned { key in key != "a" }
    XCTAssertEqual(try now(pooled.get("a")), bytes("1"))
    XCTAssertEqual(try now(capped.get("a")), bytes("1"))
    XCTAssertNotNil(conditioned.get("a").outcome?.error)
  }

  func testTwoBranches() throws {
    let switched = Cache.switching(upper, lower) { key in key == "upper" ? .first : .second }
    for key in ["upper", "other"] { _ = switched.set(key, bytes(key)) }
    XCTAssertEqual(try now(upper.get("upper")), bytes("upper"))
    XCTAssertNil(upper.get("other").outcome?.value)
    XCTAssertEqual(try now(lower.get("other")), bytes("other"))
  }

  func testEveryCacheHasTheSameType() throws {
    struct Manager {
      let cache: Cache<String, Data>
    }
    let manager = Manager(cache: (upper + lower).pooled().limited(toConcurrentGets: 3))
    _ = manager.cache.set("a", bytes("one"))
    XCTAssertEqual(try now(manager.cache.get("a")), bytes("one"))
  }

  func testYourOwnLevelsAndFetchers() throws {
    let level = Cache<Int, Float>(
      get: { key in Promise(Float(key)) }, set: { key, value in Promise() },
      remove: { key in Promise() }, clear: { Promise() }, memoryWarning: {})
    let fetcher = Fetcher<Int, Float>(offMainThread: false) { key in Float(-key) }
    XCTAssertEqual(try now((level + fetcher).get(3)), 3)
    XCTAssertEqual(try now(fetcher.pooled().get(3)), -3)
  }

  func testComposedFunctions() throws {
    let random = Transformer<Void, Int> { _ in 4 }
    let text = Transformer<Int, String> { "\($0)" }
    let hello = Transformer<String, String> { "Hello \($0)!" }
    XCTAssertEqual(try now((random >>> text >>> hello)(())), "Hello 4!")
  }
}
