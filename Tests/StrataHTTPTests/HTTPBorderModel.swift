import Foundation

@testable import StrataCore
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A random program of gets, pauses, and crashes for levels above an HTTP cache, with checks of the
/// values. The origin records each response in a journal.
struct HTTPBorderModel {
  /// The laws that `HTTPBorderLaws` checks.
  enum Law: String, CaseIterable {
    /// If a get sends no request, the body that it returns is still fresh under the rules of HTTP.
    case age
    /// A get that sends a request returns the body that the origin currently has for the URL.
    case current
    /// The bytes of a response with `no-store` never reach the store.
    case noStore
    /// While a request for a URL is in flight, another request for the URL is sent only if the
    /// stored response has `no-cache`.
    case once
  }

  /// Faults in the levels, the store, or the origin. The raw value of a fault begins with the name
  /// of the law that the fault breaks.
  enum Fault: String, CaseIterable {
    case restartsAge = "age, by promotion"
    case forgetsEnd = "age, by a level without deadlines"
    case ignoresAge = "age, of a response that was old on arrival"
    case mixesRecords = "current"
    case ignoresNoStore = "noStore"
    case hasTwoCaches = "once"

    var law: String { rawValue.prefix { $0 != "," }.description }
  }

  fileprivate struct Said {
    let path: String
    let body: String
    let end: TimeSource.Instant
  }

  fileprivate final class Journal: Sendable {
    let said = Lock<[Said]>([])
    /// The version number of the current representation at each path.
    let versions = Lock<[String: Int]>([:])
    /// The properties of the origin's response: its lifetime, its age, a further directive such as
    /// `no-store`, and whether the response has a tag.
    let plan = Lock<(lifetime: Int, age: Int, more: String, isTagged: Bool)>((10, 0, "", true))
    let records = Lock<[String: Data]>([:])
    let leaks = Lock(0)
  }

  private let origin = FakeOrigin()
  private let journal = Journal()
  private let pages: Cache<URL, String>
  private let fault: Fault?
  private var random: SplitMix

  init(seed: UInt64, fault: Fault? = nil) {
    (random, self.fault) = (SplitMix(seed: seed), fault)
    let (journal, origin) = (journal, origin)
    let store = Self.store(journal)
    let responses: Fetcher<URLRequest, NetworkResponse> = origin.fetcher.mapValues {
      var response = $0
      if fault == .ignoresAge { response.fields["Age"] = nil }
      if fault == .ignoresNoStore {
        response.fields["Cache-Control"] = response.fields["Cache-Control"]?
          .replacingOccurrences(of: ", no-store", with: "")
      }
      return response
    }
    let caches = (0..<(fault == .hasTwoCaches ? 2 : 1)).map { _ in
      HTTPCache(storedIn: store, from: responses, clock: origin.time).fetcher(accepting: .success)
    }
    let turn = Lock(0)
    let bytes = Fetcher<URL, Stamped<Data>>(
      get: { url in
        let index = turn.withLock { turn in
          turn += 1
          return turn % caches.count
        }
        return caches[index].get(url)
      }, plan: caches[0].plan)
    let (depth, isDecoded) = (
      Int.random(in: 0..<3, using: &random), Bool.random(using: &random)
    )
    let text: Codec<Stamped<Data>, Stamped<String>> = .stamped(.utf8)
    if isDecoded || depth == 0 {
      let levels: Cache<URL, Stamped<String>> = Self.levels(max(1, depth), origin.time, fault)
      pages = levels.backed(byStamped: bytes <*> text, clock: origin.time)
    } else {
      let levels: Cache<URL, Stamped<Data>> = Self.levels(depth, origin.time, fault)
      pages = levels.backed(byStamped: bytes, clock: origin.time) <*> .utf8
    }
    origin.replies { journal.reply(to: $0, at: origin.time.now()) }
  }

  /// Returns one or two levels of stamped values. The upper level implements the faults
  /// `restartsAge` and `forgetsEnd`, and ignores all other faults.
  private static func levels<Plain>(
    _ count: Int, _ time: TimeSource, _ fault: Fault?
  ) -> Cache<URL, Stamped<Plain>> {
    let memory: Cache<URL, Stamped<Plain>> = .memory(clock: time)
    let upper = Cache<URL, Stamped<Plain>>(
      get: memory.get,
      set: { key, entry in
        let end = entry.expiresAt ?? .last
        switch fault {
        case .restartsAge:
          let life = entry.storedAt.duration(to: end)
          return memory.set(key, Stamped(entry.value, storedAt: time.now(), lasting: life))
        case .forgetsEnd: return memory.set(key, Stamped(entry.value, storedAt: time.now()))
        default: return memory.set(key, entry)
        }
      }, remove: memory.remove, clear: memory.clear, memoryWarning: memory.memoryWarning)
    return count == 1 ? upper : upper + .dictionary()
  }

  private static func store(_ journal: Journal) -> Cache<String, Data> {
    Cache(
      get: { key in Promise(journal.records.withLock { $0[key] }, or: CacheError.notFound) },
      set: { key, data in
        if data.range(of: Data("secret".utf8)) != nil { journal.leaks.withLock { $0 += 1 } }
        journal.records.withLock { $0[key] = data }
        return Promise()
      },
      remove: { key in
        journal.records.withLock { $0[key] = nil }
        return Promise()
      })
  }

  /// Runs a program and returns the laws that it broke.
  mutating func run(steps: Int) -> Set<String> {
    var broken: Set<Law> = []
    for _ in 0..<steps {
      let url = URL(string: "http://example.com/\(Int.random(in: 0..<2, using: &random))")!
      switch Int.random(in: 0..<10, using: &random) {
      case 0: journal.versions.withLock { $0[url.path, default: 0] += 1 }
      case 1...2: origin.clock.advance(by: .seconds(Double.random(in: 0..<6, using: &random)))
      case 3: crash()
      case 4: pages.memoryWarning()
      case 5: if burst(url) { broken.insert(.once) }
      default:
        say()
        if let law = get(url) { broken.insert(law) }
      }
    }
    if journal.leaks.withLock({ $0 }) > 0 { broken.insert(.noStore) }
    return Set(broken.map(\.rawValue))
  }

  private mutating func say() {
    let plan = (
      lifetime: [0, 5, 10].randomElement(using: &random) ?? 0,
      age: [0, 0, 4, 20].randomElement(using: &random) ?? 0,
      more: ["", "", ", no-store", ", no-cache"].randomElement(using: &random) ?? "",
      isTagged: Bool.random(using: &random)
    )
    journal.plan.withLock { $0 = plan }
  }

  private func get(_ url: URL) -> Law? {
    let (count, now) = (origin.count, origin.time.now())
    guard let body = pages.get(url).outcome?.value else { return .current }
    if origin.count > count {
      return body == journal.body(url.path) || body == journal.body(url.path, isSecret: true)
        ? nil : .current
    }
    let isAllowed = journal.said.withLock { said in
      said.contains { $0.path == url.path && $0.body == body && now < $0.end }
    }
    return isAllowed ? nil : .age
  }

  /// Starts three gets, after a pause in which the cache forgets which flights were useless, and
  /// while the origin isn't answering, and returns whether the gets cause two or
  /// more requests. If the stored response has `no-cache`, every get needs a request, so the
  /// function returns `false` without starting any gets.
  private mutating func burst(_ url: URL) -> Bool {
    origin.clock.advance(by: ActiveKeys.pause)
    let record = journal.records.withLock { $0[StoreKey.text(url)] }.flatMap(StoreRecord.init)
    if case .response(let stored) = record,
      CacheControl(stored.response.fields).contains("no-cache")
    {
      return false
    }
    let count = origin.count
    origin.hold()
    let gets = (0..<3).map { _ in pages.get(url) }
    let isTwice = origin.count > count + 1
    if Bool.random(using: &random) { gets[0].cancel() }
    origin.release()
    return isTwice
  }

  /// Simulates a crash, which truncates a stored record. With the fault `mixesRecords`, the crash
  /// removes a stored response or replaces its body. The cache `pages` also receives a memory
  /// warning.
  private mutating func crash() {
    let bytes = Int.random(in: 0..<400, using: &random)
    let isLost = Bool.random(using: &random)
    journal.records.withLock { records in
      guard let key = records.keys.min() else { return }
      guard fault == .mixesRecords else { return records[key] = records[key]?.prefix(bytes) }
      guard let data = records[key], case .response(var stored) = StoreRecord(data) else { return }
      stored.response.body = Data("torn".utf8)
      records[key] = isLost ? nil : StoreRecord.response(stored).data
    }
    pages.memoryWarning()
  }
}

extension HTTPBorderModel.Journal {
  /// Returns the body of the current representation at a path.
  fileprivate func body(_ path: String, isSecret: Bool = false) -> String {
    "\(isSecret ? "secret" : "body") \(path) \(versions.withLock { $0[path] ?? 0 })"
  }

  fileprivate func reply(
    to head: RequestHead, at now: TimeSource.Instant
  ) -> (Int, HeaderFields, String) {
    let plan = plan.withLock { $0 }
    let body = body(head.url.path, isSecret: plan.more == ", no-store")
    let tag = "\"\(body)\""
    let isKnown = plan.isTagged && EntityTag.list(head.fields, "If-None-Match").contains(tag)
    let rest = plan.more.isEmpty ? plan.lifetime - plan.age : 0
    said.withLock {
      $0.append(.init(path: head.url.path, body: body, end: now.advanced(by: .seconds(rest))))
    }
    var fields: HeaderFields = [
      "Cache-Control": "max-age=\(plan.lifetime)\(plan.more)", "Age": "\(plan.age)",
    ]
    if plan.isTagged { fields["ETag"] = tag }
    return (isKnown ? 304 : 200, fields, isKnown ? "" : body)
  }
}
