import Foundation
import Strata

/// Processes one request to an HTTP cache.
struct HTTPExchange: Sendable {
  let cache: HTTPCache
  let request: URLRequest
  let head: RequestHead
  let key: String
  var mayWait = true
  var isCollapsed = false

  init(_ cache: HTTPCache, _ request: URLRequest) {
    (self.cache, self.request, head) = (cache, request, RequestHead(request))
    key = StoreKey.text(head.url)
  }

  var policy: HTTPCachePolicy { cache.policy }

  /// Whether the request must bypass the store. A request bypasses the store if it has a body,
  /// another host than its URL, the directive `no-store`, or conditions that only the origin can
  /// evaluate, or if it selects several ranges.
  var mustPass: Bool {
    head.hasBody || head.hasOtherHost || head.control.contains("no-store")
      || head.hasOriginCondition || head.method == "GET" && ByteRange(head.fields) == .several
  }

  /// Answers a GET or HEAD request.
  func retrieve() -> Promise<HTTPAnswer> {
    cache.store.find(key, for: head.fields).flatMap { finding in
      switch finding {
      case .match(let stored): decide(stored)
      case .otherVariants: obtain(nil, .varyMiss)
      case .nothing: obtain(nil, .uriMiss)
      }
    }
  }

  private func decide(_ stored: StoredResponse) -> Promise<HTTPAnswer> {
    let now = cache.clock.now()
    switch policy.verdict(on: stored, for: head, at: now) {
    case .fresh:
      return hit(stored, at: now).map { Promise($0) } ?? complete(stored)
    case .permittedStale:
      return hit(stored, at: now, "max-stale").map { Promise($0) } ?? complete(stored)
    case .staleWhileRevalidate:
      guard let answer = hit(stored, at: now, "stale-while-revalidate") else {
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
    _ stored: StoredResponse, at now: TimeSource.Instant, _ detail: String? = nil
  ) -> HTTPAnswer? {
    policy.answer(from: stored, to: head, at: now).map { response in
      let left = now.duration(to: policy.end(of: stored.response)).components.seconds
      var status = HTTPCacheStatus(.hit, timeToLive: left, detail: detail)
      status.isCollapsed = isCollapsed
      return answer(response, status, validity: stored.response)
    }
  }

  /// Gets the response from the origin, unless the request has `only-if-cached` or the `isOffline`
  /// closure returns `true`.
  private func obtain(
    _ stored: StoredResponse?, _ reason: HTTPCacheStatus.Forward,
    _ cause: HTTPCachePolicy.Cause? = nil
  ) -> Promise<HTTPAnswer> {
    if head.control.contains("only-if-cached") { return Promise(timeout(reason, "only-if-cached")) }
    guard !cache.isOffline(head.url) else {
      let now = cache.clock.now()
      guard let stored, policy.serves(stored, for: head, after: .unreachable, at: now),
        let answer = hit(stored, at: now, "offline")
      else { return Promise(timeout(reason, "offline")) }
      return Promise(answer)
    }
    guard mayWait, cause != .request, cause != .noCache, stored != nil || !hasRange else {
      return forward(stored, reason)
    }
    return lead(stored, reason)
  }

  private var hasRange: Bool { head.fields.contains("Range") }

  /// Forwards the request. If another request for the same response is in flight, this function
  /// waits for that request and then reads the store again.
  private func lead(
    _ stored: StoredResponse?, _ reason: HTTPCacheStatus.Forward
  ) -> Promise<HTTPAnswer> {
    let flight = stored.map { StoreKey.variant(key, $0.selecting) } ?? key
    guard let leader = cache.active.lead(flight) else {
      let result = forward(stored, reason)
      result.observed { [active = cache.active] in active.end(flight, isCancelled: $0.isCancelled) }
      return result
    }
    return leader.flatMap { isCancelled in
      var next = self
      (next.mayWait, next.isCollapsed) = (isCancelled, true)
      return next.retrieve()
    }
  }

  /// Validates a stored response in the background, unless another request is already validating
  /// it.
  private func revalidate(_ stored: StoredResponse) {
    guard !cache.isOffline(head.url) else { return }
    let flight = StoreKey.variant(key, stored.selecting)
    guard cache.active.lead(flight) == nil else { return }
    forward(stored, .stale).observed { [active = cache.active] in
      active.end(flight, isCancelled: $0.isCancelled)
    }
  }
}
