import Foundation
import StrataNetwork

extension HTTPExchange {
  /// Forwards a request that the store can't answer, and removes the stored responses that the
  /// request invalidates.
  func pass() -> Promise<HTTPAnswer> {
    let reason: HTTPCacheStatus.Forward = head.isRetrieval ? .request : .method
    if head.control.contains("only-if-cached") { return Promise(timeout(reason, "only-if-cached")) }
    if cache.isOffline(url) { return Promise(timeout(reason, "offline")) }
    let ticket = cache.active.enter(key)
    let response = cache.origin(request)
    response.observed { outcome in
      // The origin may have processed the request before it failed or was cancelled. So the stored
      // responses for the URL may be outdated.
      if case .success = outcome { return }
      for url in Invalidation.urls(after: outcome.error, to: head) { cache.invalidate(url) }
    }
    let result = response.map { judged(by: $0).passed($0, reason, ticket) }
    result.observed { [active = cache.active] _ in active.leave(ticket) }
    return result
  }

  /// Answers with the response to a request that has bypassed the store. But the response to a POST
  /// is stored only if no other request has invalidated the URL in the meantime.
  private func passed(
    _ response: NetworkResponse, _ reason: HTTPCacheStatus.Forward, _ ticket: ActiveKeys.Ticket
  ) -> HTTPAnswer {
    let response = response.dated
    let isCurrent = cache.active.isValid(ticket)
    for url in Invalidation.urls(response, to: head) { cache.invalidate(url) }
    let status = HTTPCacheStatus(.passed, forward: reason, forwardStatus: response.status)
    guard isCurrent, head.method == "POST", policy.refusal(to: response, for: head) == nil else {
      return answer(response, status, validity: nil)
    }
    let write = cache.store.put(
      policy.stored(response, for: head), under: key, for: policy.reader(of: response, to: head))
    return answer(response, status, validity: nil, writing: write)
  }

  /// Returns a 504 without sending a request to the origin (RFC 9111, section 5.2.1.7).
  func timeout(_ reason: HTTPCacheStatus.Forward, _ detail: String) -> HTTPAnswer {
    let now = cache.clock.now()
    let response = NetworkResponse(
      status: 504, fields: ["Cache-Control": "no-store", "Content-Length": "0"], url: head.url,
      requestTime: now, responseTime: now)
    let status = HTTPCacheStatus(.passed, forward: reason, detail: detail)
    return answer(response.dated, status, validity: nil)
  }
}
