import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The headline pipeline and hand-made plans, in every form.
final class PlanFormsTests: XCTestCase {
  private let pages: CachePlan = {
    let cache: Cache<URL, String> =
      .memory()
      + (\.absoluteString <^> Cache<String, Data>.memory(capacity: 9) <*> .utf8
      + Fetcher<URL, Data> { _ in throw CacheError.notFound } <*> .utf8).pooled()
    return cache.plan
  }()

  func testTheTreeHasANodeALineWithItsTypes() {
    XCTAssertEqual(
      pages.tree,
      """
      sum                   URL → String
      ├─ memory(1000)       URL → String
      └─ pooled()           URL → String
         ├─ <*> utf8        URL → String
         │  └─ keys <^>     URL → Data
         │     └─ memory(9) String → Data
         └─ <*> utf8        URL → String
            └─ fetcher      URL → Data
      """)
  }

  func testTheTreeOfALevelIsALine() {
    XCTAssertEqual(CachePlan.level("mine").tree, "mine")
    XCTAssertEqual(CachePlan.sum([]).tree, "empty")
  }

  func testTheTreeShowsLanesAndVerbsThatAreNew() {
    let plan = CachePlan.verb(
      .lanes([.level("a"), .sum([.level("b"), .level("c")])]), name: "novel", arguments: "2\n3")
    XCTAssertEqual(
      plan.tree,
      """
      novel(2 3)
      └─ switching
         ├─ a
         └─ sum
            ├─ b
            └─ c
      """)
  }

  func testJSONIsStableAndReadBack() throws {
    let json = """
      {
        "strata": 1,
        "plan": { "sum": [
          { "level": "memory", "detail": "1000", "key": "URL", "value": "String" },
          {
            "verb": "pooled", "key": "URL", "value": "String",
            "of": { "level": "fetcher", "key": "URL", "value": "String" }
          }
        ] }
      }
      """
    let cache: Cache<URL, String> = .memory() + Fetcher { _ in "" }.pooled()
    XCTAssertEqual(cache.plan.json, json)
    XCTAssertEqual(try CachePlan(json: json), cache.plan)
    XCTAssertEqual(try CachePlan(json: pages.json), pages)
  }

  func testTextInJSONIsEscaped() throws {
    let name = "\"a\\b\"\n\t\u{1}\u{7F}é😀"
    let plan = CachePlan.level(name, detail: "")
    XCTAssertEqual(try CachePlan(json: plan.json), plan)
  }

  func testJSONThatIsNoPlanIsRefusedWithItsReason() {
    let wrong = [
      "": "not JSON", "[1]": "no member \"strata\"", "{ \"plan\": {} }": "no member \"strata\"",
      "{ \"strata\": 1 }": "there is no member \"plan\"",
      "{ \"strata\": 2, \"plan\": { \"level\": \"a\" } }":
        "version 2 of the format is not known here: write it in version 1",
      "{ \"strata\": 0, \"plan\": { \"level\": \"a\" } }":
        "version 0 of the format is not known here",
      "{ \"strata\": 1, \"plan\": { \"sum\": [{ \"tier\": \"a\" }] } }":
        "at plan.sum[0] there is none",
      "{ \"strata\": 1, \"plan\": { \"sum\": 3 } }": "at plan.sum there is no array",
      "{ \"strata\": 1, \"plan\": { \"verb\": \"pooled\" } }": "there is no plan.of",
      "{ \"strata\": 1, \"plan\": { \"verb\": \"pooled\", \"of\": 2 } }":
        "plan.of there is no object",
      "{ \"strata\": 1, \"plan\": { \"level\": 7 } }": "at plan.level there is no text",
      "{ \"strata\": 1, \"plan\": null }": "at plan there is no object",
      String(repeating: "[", count: 100_000): "not JSON, or too deep",
    ]
    for (json, reason) in wrong {
      XCTAssertThrowsError(try CachePlan(json: json), json) { error in
        let text = "\(error)"
        XCTAssert(error is PlanFormatError, text)
        XCTAssert(text.hasPrefix("this is no plan: ") && text.contains(reason), text)
      }
    }
  }

  func testADeepPlanIsReadOrRefusedInTheStackOfASecondaryThread() {
    let outcomes = Journal<String>()
    let thread = Thread {
      for depth in [100, 400, 100_000] {
        let open = String(repeating: "{ \"verb\": \"pooled\", \"of\": ", count: depth)
        let json =
          "{ \"strata\": 1, \"plan\": \(open){ \"level\": \"a\" }"
          + String(repeating: " }", count: depth + 1)
        let plan = try? CachePlan(json: json)
        outcomes.note(plan.map { "\($0.tree.split(separator: "\n").count)" } ?? "refused")
      }
      outcomes.note("done")
    }
    thread.stackSize = 512 << 10
    thread.start()
    while outcomes.entries.last != "done" { sched_yield() }
    XCTAssertEqual(outcomes.entries, ["101", "401", "refused", "done"])
  }

  func testMermaidHasMissesFillsAndSubgraphs() {
    XCTAssertEqual(
      pages.mermaid,
      """
      flowchart TD
        get([get])
        n1["memory<br>holds 1000"]
        subgraph f2["pooled()"]
          n3["memory<br>holds 9"]
          n4["fetcher"]
        end
        get -- "URL → String" --> n1
        n3 -- "miss<br>utf8: Data → String" --> n4
        n4 -. fill .-> n3
        n1 -- "miss" --> n3
        n3 -. fill .-> n1
      """)
  }

  func testTextInMermaidIsEscaped() {
    let plan = CachePlan.verb(.level("a<b>"), name: "named", arguments: "\"#1\"")
    XCTAssert(plan.mermaid.contains("n1[\"a#60;b#62;<br>named(#34;#35;1#34;)\"]"), plan.mermaid)
  }

  func testTheDrawingIsXMLAndShowsLevelsBoundsTypesAndPools() throws {
    let texts = try Self.texts(pages.svg)
    for text in [
      "memory", "holds 1000", "holds 9", "fetcher", "pooled()", "URL", "String",
      "keys: URL → String", "utf8: Data → String", "on a miss", "fills what is above",
    ] {
      XCTAssert(texts.contains(text), "\(text) in \(texts)")
    }
    XCTAssert(pages.svg.contains("prefers-color-scheme: dark"))
    XCTAssert(pages.svg.contains("width=\"600\""))
  }

  func testTheDrawingShowsHowLongValuesLive() throws {
    let bound = CachePlan.verb(.level("memory"), name: "maxAge", arguments: "5 s")
    let plan = CachePlan.verb(
      .sum([bound, .level("disk", detail: "1 MB")]), name: "expiring", arguments: "after: 60 s")
    let texts = try Self.texts(plan.svg)
    XCTAssert(texts.contains("lives 5 s"), "\(texts)")
    XCTAssert(texts.contains("holds 1 MB, lives 60 s"), "\(texts)")
    XCTAssert(texts.contains("expiring(after: 60 s)"), "\(texts)")
  }

  func testAValueThatFillsNothingIsNotDashed() throws {
    let sources = CachePlan.sum([.level("network"), .level("fetcher")])
    XCTAssertFalse(try Self.texts(sources.svg).contains("fills what is above"))
    XCTAssertFalse(sources.mermaid.contains("fill"))
  }

  func testWhateverIsInAPlanTheDrawingStaysXMLAndInItsWidth() throws {
    let long = String(repeating: "<long & \"wide\">\u{FFFE}\n", count: 50)
    let lanes = CachePlan.lanes(Array(repeating: .level(long, detail: long), count: 7))
    let deep = (0..<300).reduce(lanes) { plan, n in
      .verb(.mappedKeys(plan, types: .init(key: long, value: long)), name: "limited\(n)")
    }
    for plan in [lanes, deep, .lanes([]), .sum([]), .verb(.sum([]), name: long)] {
      let texts = try Self.texts(plan.svg)
      for text in texts.dropFirst(2) { XCTAssertLessThanOrEqual(text.count, 80, text) }
      XCTAssertFalse(plan.tree.isEmpty)
      XCTAssertFalse(plan.mermaid.isEmpty)
    }
  }

  /// The texts of a drawing, the title and the style sheet first; fails if it is no XML.
  static func texts(_ svg: String) throws -> [String] {
    final class Reader: NSObject, XMLParserDelegate {
      var texts: [String] = []
      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
      ) {
        if ["text", "title", "style"].contains(name) { texts.append("") }
      }
      func parser(_ parser: XMLParser, foundCharacters text: String) {
        if !texts.isEmpty { texts[texts.count - 1] += text.trimmingCharacters(in: .newlines) }
      }
    }
    let (reader, parser) = (Reader(), XMLParser(data: Data(svg.utf8)))
    parser.delegate = reader
    guard parser.parse() else { throw NotXML(reason: "\(String(describing: parser.parserError))") }
    return reader.texts
  }
}

private struct NotXML: Error {
  let reason: String
}
