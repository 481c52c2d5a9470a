import Foundation
import StrataNetwork

extension HTTPExchange {
  /// Answers a request that needs bytes outside the stored part (RFC 9111, section 3.4).
  ///
  /// The cache requests only the missing bytes, if it can: the client must request the whole body
  /// with GET. And the stored part must begin at the first byte, and have a strong entity tag. When
  /// these conditions aren't met, the cache forwards the request unchanged.
  func complete(_ stored: StoredResponse) -> Promise<HTTPAnswer> {
    let isExcluded = head.control.contains("only-if-cached") || cache.isOffline(url)
    if isExcluded { return Promise(timeout(.partial, "partial")) }
    guard let fields = rest(of: stored) else { return forward(stored, .partial) }
    return send(
      fields,
      Step(stored: stored, purpose: .complete, reason: .partial, ticket: cache.active.enter(key)))
  }

  private func rest(of stored: StoredResponse) -> HeaderFields? {
    guard head.method == "GET", ByteRange(head.fields) == nil, stored.positions.lowerBound == 0,
      let tag = stored.response.entityTag, EntityTag.isStrong(tag)
    else { return nil }
    var fields = unconditional
    fields["Range"] = "bytes=\(stored.positions.upperBound)-"
    fields["If-Range"] = tag
    return fields
  }

  /// Returns the stored part, completed by the part in a 206. Returns `nil` if the parts don't make
  /// up the whole representation, or if the new part is streamed.
  func union(_ stored: StoredResponse, _ response: NetworkResponse, _ step: Step) -> HTTPAnswer? {
    guard response.status == 206, response.rest == nil else { return nil }
    let part = policy.stored(response, for: head)
    guard let whole = policy.combined(stored, with: part, for: head), whole.isComplete,
      let answered = policy.answer(from: whole, to: head, at: cache.clock.now())
    else { return nil }
    let status = HTTPCacheStatus(.miss, forward: .partial, forwardStatus: 206)
    return answer(answered, status, validity: whole.response, writing: keep(whole, step))
  }
}
