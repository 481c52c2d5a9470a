import Foundation
import Strata

extension HTTPExchange {
  /// Answers a request that needs bytes outside the stored part (RFC 9111, section 3.4).
  ///
  /// The cache requests only the missing bytes if the client requests the whole body with GET.
  /// Another requirement is that the stored part begins at the first byte and has a strong entity
  /// tag. If the cache can't request only the missing bytes, it forwards the request unchanged.
  func complete(_ stored: StoredResponse) -> Promise<HTTPAnswer> {
    let isExcluded = head.control.contains("only-if-cached") || cache.isOffline(head.url)
    if isExcluded { return Promise(timeout(.partial, "partial")) }
    guard let fields = rest(of: stored) else { return forward(stored, .partial) }
    let step = Step(
      stored: stored, isValidating: false, reason: .partial, ticket: cache.active.enter(key))
    let result = cache.origin(request.with(fields)).flatMap { response in
      switch response.status {
      case 206: return union(stored, response, step).map { Promise($0) } ?? forward(nil, .partial)
      case 416, 304: return forward(nil, .partial)
      default: return Promise(replaced(by: response, step))
      }
    }
    result.observed { [active = cache.active] _ in active.leave(step.ticket) }
    return result
  }

  private func rest(of stored: StoredResponse) -> HTTPFields? {
    guard head.method == "GET", ByteRange(head.fields) == nil, stored.positions.lowerBound == 0,
      let tag = stored.response.entityTag, EntityTag.isStrong(tag)
    else { return nil }
    var fields = head.fields
    fields["Range"] = "bytes=\(stored.positions.upperBound)-"
    fields["If-Range"] = tag
    fields["If-None-Match"] = nil
    fields["If-Modified-Since"] = nil
    return fields
  }

  private func union(
    _ stored: StoredResponse, _ response: HTTPResponse, _ step: Step
  ) -> HTTPAnswer? {
    guard response.rest == nil else { return nil }  // A streamed part can't complete another one.
    let part = policy.stored(response, for: head)
    guard let whole = policy.combined(stored, with: part, for: head), whole.isComplete,
      let answered = policy.answer(from: whole, to: head, at: cache.clock.now())
    else { return nil }
    let status = HTTPCacheStatus(.miss, forward: .partial, forwardStatus: 206)
    return answer(answered, status, validity: whole.response, writing: keep(whole, step))
  }
}
