import Foundation
import StrataNetwork

/// Processes one request to an HTTP cache.
struct HTTPExchange: Sendable {
  let cache: HTTPCache
  let request: URLRequest
  var head: RequestHead
  let key: String
  /// The priority of the caller's task.
  let priority: TaskPriority
  /// The flights for which this request has waited without getting a usable response.
  var waitedFor: [String] = []
  /// Whether this request has waited for another request.
  var isCollapsed = false
  /// Whether `head` is the request exactly as the origin level sends it, with the fields that this
  /// level adds. Otherwise, the user is unknown, so the response isn't stored, and no other request
  /// waits for it.
  var isExact: Bool

  /// - Parameter sent: The request exactly as the origin level sends it. The cache decides by this
  ///   request. It's `nil` if this is unknown.
  init(
    _ cache: HTTPCache, _ request: URLRequest, sent: SentRequest?,
    priority: TaskPriority = .ofCaller
  ) {
    self.priority = priority
    (self.cache, self.request, isExact) = (cache, request, sent != nil)
    head = RequestHead(sent ?? SentRequest(request))
    key = StoreKey.text(head.url)
  }

  /// The URL as the caller wrote it.
  var url: URL { request.url ?? head.url }

  /// The fields as the caller wrote them. To each request, the origin level adds its own fields.
  var fields: HeaderFields { HeaderFields(request.allHTTPHeaderFields ?? [:]) }

  /// The caller's fields without the conditions that a cache can evaluate (RFC 9111, section
  /// 4.3.2).
  var unconditional: HeaderFields { fields.without(["If-None-Match", "If-Modified-Since"]) }

  /// Returns this exchange with the fields of the request that a response has really answered.
  /// These fields can differ from the expected ones, for example after redirects.
  func judged(by response: NetworkResponse) -> HTTPExchange {
    guard response.sent != nil else { return self }
    var result = self
    result.head = head.judged(by: response.sent)
    result.isExact = true
    return result
  }

  var policy: HTTPCachePolicy { cache.policy }

  /// Whether the request must bypass the store. This is so if the request has a body, another host
  /// than its URL, several ranges, the directive `no-store`, or conditions that only the origin can
  /// evaluate.
  var mustPass: Bool {
    head.hasBody || head.hasOtherHost || head.control.contains("no-store")
      || head.hasOriginCondition || head.method == "GET" && ByteRange(head.fields) == .several
  }

  /// Answers a GET or HEAD request.
  func retrieve() -> Promise<HTTPAnswer> {
    cache.store.find(key, for: head).flatMap { finding in
      switch finding {
      case .match(let stored): decide(stored)
      case .otherVariants(let names): obtain(nil, .varyMiss, selectedBy: names)
      case .nothing: obtain(nil, .uriMiss)
      }
    }
  }

  private func decide(_ stored: StoredResponse) -> Promise<HTTPAnswer> {
    let (now, freshness) = (cache.clock.now(), Freshness(of: stored.response, for: policy))
    switch policy.verdict(on: stored, freshness, for: head, at: now) {
    case .fresh:
      return hit(stored, freshness, at: now).map { Promise($0) } ?? complete(stored)
    case .permittedStale:
      return hit(stored, freshness, at: now, "max-stale").map { Promise($0) } ?? complete(stored)
    case .staleWhileRevalidate:
      guard let answer = hit(stored, freshness, at: now, "stale-while-revalidate") else {
        return complete(stored)
      }
      revalidate(stored)
      return Promise(answer)
    case .mustValidate(let cause):
      return obtain(stored, cause == .request ? .request : .stale, cause)
    }
  }

  /// Uses a stored response to answer the request. Returns `nil` if the stored response lacks bytes
  /// that the request needs.
  func hit(
    _ stored: StoredResponse, _ freshness: Freshness, at now: TimeSource.Instant,
    _ detail: String? = nil
  ) -> HTTPAnswer? {
    policy.answer(from: stored, freshness, to: head, at: now).map { response in
      let left = now.duration(to: freshness.end).components.seconds
      var status = HTTPCacheStatus(.hit, timeToLive: left, detail: detail)
      status.isCollapsed = isCollapsed
      return answer(response, status, until: freshness)
    }
  }

  /// Gets the response from the origin. When the request has `only-if-cached`, or if `isOffline`
  /// returns `true`, doesn't send a request.
  private func obtain(
    _ stored: StoredResponse?, _ reason: HTTPCacheStatus.Forward,
    _ cause: HTTPCachePolicy.Cause? = nil, selectedBy names: Set<String> = []
  ) -> Promise<HTTPAnswer> {
    if head.control.contains("only-if-cached") { return Promise(timeout(reason, "only-if-cached")) }
    guard !cache.isOffline(url) else {
      let now = cache.clock.now()
      guard let stored, policy.serves(stored, for: head, after: .unreachable, at: now),
        let answer = hit(stored, Freshness(of: stored.response, for: policy), at: now, "offline")
      else { return Promise(timeout(reason, "offline")) }
      return Promise(answer)
    }
    guard isExact, cause != .request, cause != .noCache, stored != nil || !hasRange else {
      return forward(stored, reason)
    }
    return lead(stored, reason, selectedBy: names)
  }

  private var hasRange: Bool { head.fields.contains("Range") }
}
