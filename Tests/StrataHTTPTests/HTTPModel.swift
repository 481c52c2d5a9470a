import Foundation

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// A random program for an HTTP cache, with checks of the cache's answers.
struct HTTPModel {
  /// Faults that a test plants between the HTTP cache and its store or its origin.
  enum Fault: CaseIterable {
    /// Responses are stored without `Vary`.
    case forgetsVary
    /// Responses are stored with a longer lifetime than the origin allows.
    case extendsLifetime
    /// Removals have no effect.
    case keepsInvalidated
    /// `no-store` is removed.
    case ignoresNoStore
    /// `must-revalidate` is removed.
    case ignoresMustRevalidate
  }

  /// The properties of a response that the origin sent.
  struct Said {
    let path: String
    let foo: String?
    let control: String
    let vary: Bool
    let lifetime: Double
    let window: Double
    let time: TimeSource.Instant
    /// The number of changes to the content at this path before the origin sent this response.
    let version: Int
  }

  private let origin = FakeOrigin()
  private let cache: HTTPCache
  private var generator: SplitMix
  private let journal = Lock<[String: Said]>([:])
  private let versions = Lock<[String: Int]>([:])
  private let controls: [(String, Double, Double)] = [
    ("max-age=10", 10, 0), ("max-age=10, no-store", 0, 0), ("no-cache, max-age=10", 0, 0),
    ("max-age=5, must-revalidate", 5, 0), ("max-age=5, stale-while-revalidate=5", 5, 5),
    ("max-age=0", 0, 0), ("max-age=100", 100, 0),
  ]

  init(seed: UInt64, fault: Fault? = nil) {
    generator = SplitMix(seed: seed)
    let bytes = Cache<String, Data>.dictionary()
    let store =
      fault == .keepsInvalidated
      ? Cache<String, Data>(get: bytes.get, set: bytes.set) : bytes
    cache = HTTPCache(
      storedIn: store, from: origin.fetcher.mapValues { $0.damaged(by: fault) }, clock: origin.time)
  }

  mutating func run(steps: Int) -> [String] {
    var violations: [String] = []
    for _ in 0..<steps {
      program()
      let path = "/\(Int.random(in: 0..<2, using: &generator))"
      let url = URL(string: "http://example.com\(path)")!
      let foo = ["1", "2", nil].randomElement(using: &generator) ?? nil
      let fields: HeaderFields = foo.map { ["Foo": $0] } ?? [:]
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        let isChanged = Bool.random(using: &generator)
        if isChanged { versions.withLock { $0[path, default: 0] += 1 } }
        _ = cache.answer(to: HTTPScene.request(fields, method: "POST", url: url))
      case 1...2:
        origin.clock.advance(by: .seconds(Double.random(in: 0..<8, using: &generator)))
      default:
        let answer = cache.answer(to: HTTPScene.request(fields, url: url))
        violations += judge(answer, path, foo)
      }
    }
    return violations
  }

  /// Gives the origin a random reply, or makes the origin unreachable.
  private mutating func program() {
    let isDown = Int.random(in: 0..<6, using: &generator) == 0
    let (control, lifetime, window) = controls.randomElement(using: &generator) ?? ("", 0, 0)
    let (vary, isTagged) = (Bool.random(using: &generator), Bool.random(using: &generator))
    let isSame = Bool.random(using: &generator)  // Whether `Foo` has no effect.
    origin.replies { [journal, versions, origin] head in
      if isDown, head.method == "GET" { throw FakeOrigin.Down() }
      let version = versions.withLock { $0[head.url.path] ?? 0 }
      let foo = isSame ? "all" : head.fields["Foo"] ?? "none"
      let tag = "\"\(head.url.path)-\(foo)-\(version)-\(vary)\""
      let said = Said(
        path: head.url.path, foo: head.fields["Foo"], control: control, vary: vary,
        lifetime: lifetime, window: window, time: origin.time.now(), version: version)
      let id = journal.withLock { journal -> String in
        journal["\(journal.count)"] = said
        return "\(journal.count - 1)"
      }
      var fields: HeaderFields = [
        "Cache-Control": control, "Date": HTTPDate.text(said.time.sinceEpoch.components.seconds),
        "ID": id,
      ]
      if vary { fields["Vary"] = "Foo" }
      if isTagged { fields["ETag"] = tag }
      let isKnown = isTagged && EntityTag.list(head.fields, "If-None-Match").contains(tag)
      return (isKnown ? 304 : 200, fields, isKnown ? "" : "\(head.url.path) \(version)")
    }
  }

  private func judge(_ answer: Promise<HTTPAnswer>, _ path: String, _ foo: String?) -> [String] {
    guard let answer = answer.outcome?.value, answer.response.status == 200 else { return [] }
    guard let said = answer.response.fields["ID"].flatMap({ id in journal.withLock { $0[id] } })
    else { return ["an answer that the origin never gave"] }
    var violations: [String] = []
    if said.path != path { violations.append("another URL") }
    if answer.response.text != "\(path) \(said.version)" { violations.append("another body") }
    if said.vary, said.foo != foo { violations.append("another variant") }
    guard answer.status.kind == .hit else { return violations }
    let age = said.time.duration(to: origin.time.now()) / .seconds(1)
    if said.control.contains("no-store") { violations.append("no-store was stored") }
    let isForced = answer.status.detail == "stale-if-error"
    if isForced, said.control.contains("must-revalidate") || said.control.contains("no-cache") {
      violations.append("stale although forbidden")
    }
    if !isForced, age >= said.lifetime + said.window { violations.append("stale") }
    let version = versions.withLock { $0[path] ?? 0 }
    if said.version != version { violations.append("older than a change") }
    return violations
  }
}

extension NetworkResponse {
  fileprivate func damaged(by fault: HTTPModel.Fault?) -> NetworkResponse {
    var result = self
    let control = fields["Cache-Control"] ?? ""
    switch fault {
    case nil, .keepsInvalidated: break
    case .forgetsVary: result.fields["Vary"] = nil
    case .extendsLifetime:
      result.fields["Cache-Control"] = control.replacingOccurrences(of: "=10", with: "=20")
    case .ignoresNoStore:
      result.fields["Cache-Control"] = control.replacingOccurrences(of: ", no-store", with: "")
    case .ignoresMustRevalidate:
      result.fields["Cache-Control"] = control.replacingOccurrences(
        of: ", must-revalidate", with: "")
    }
    return result
  }
}
