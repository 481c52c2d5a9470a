import Foundation
import StrataNetwork

extension HTTPExchange {
  /// Answers a GET request with the origin's response, which replaces the stored one. But a
  /// temporary failure, such as a 503, doesn't replace a stored success.
  func replaced(by response: NetworkResponse, _ step: Step) -> HTTPAnswer {
    let response = response.dated
    var status = HTTPCacheStatus(.miss, forward: step.reason, forwardStatus: response.status)
    // The request had no range, so this part says nothing about the whole (RFC 9110, section
    // 15.3.7).
    let isUnasked = response.status == 206 && !head.fields.contains("Range")
    let remains =
      step.stored.map { (200..<300).contains($0.response.status) } ?? false
      && (isUnasked || !HTTPStatus.replacesSuccess(response.status))
    let refusal = policy.refusal(to: response, for: head) ?? (isUnasked ? .range : nil)
    if refusal == nil, !remains {
      var stored = policy.stored(response, for: head)
      if let known = step.stored, let union = policy.combined(known, with: stored, for: head) {
        stored = union
      }
      let write = keep(stored, step)
      return answer(
        conditional(response, stored, step), status, validity: stored.response, writing: write)
    }
    status.detail = refusal?.rawValue
    if !remains, let stored = step.stored {
      cache.store.remove(stored, under: key, for: head.reader)
    }
    return answer(conditional(response, nil, step), status, validity: nil)
  }

  /// Answers with a response from another URL, to which the request was redirected. The store
  /// doesn't change, because the redirect might lead to a login page.
  func redirected(_ response: NetworkResponse, _ step: Step) -> HTTPAnswer {
    let response = response.dated
    let status = HTTPCacheStatus(
      .miss, forward: step.reason, forwardStatus: response.status,
      detail: HTTPCachePolicy.Refusal.redirect.rawValue)
    return answer(conditional(response, nil, step), status, validity: nil)
  }

  /// Returns the response for the client, or a 304 if the client's conditions show that it already
  /// has the response. The cache must evaluate the conditions of a GET, because it hasn't sent them
  /// to the origin.
  private func conditional(
    _ response: NetworkResponse, _ stored: StoredResponse?, _ step: Step
  ) -> NetworkResponse {
    guard head.method == "GET" || step.purpose == .validate,
      Conditions.isUnmodified(response, for: head.fields)
    else { return response }
    let known = stored ?? StoredResponse(response)
    return policy.answer(from: known, to: head, at: cache.clock.now()) ?? response
  }

  /// Answers a HEAD request with the origin's response. The header fields of this response also
  /// update the stored response to a GET request (RFC 9111, section 4.3.5).
  func updated(byHead response: NetworkResponse, _ step: Step) -> HTTPAnswer {
    let response = response.dated
    let status = HTTPCacheStatus(.miss, forward: step.reason, forwardStatus: response.status)
    if let stored = step.stored, response.status == 200 {
      if let fresh = policy.freshened(stored, byHead: response, for: head) {
        let write = keep(fresh, step)
        let merged = policy.answer(from: fresh, to: head, at: cache.clock.now())
        return answer(merged ?? response, status, validity: fresh.response, writing: write)
      }
      cache.store.remove(stored, under: key, for: head.reader)
    }
    return answer(conditional(response, nil, step), status, validity: nil)
  }

  /// Stores a response, and returns the write. Returns `nil` without storing if the URL was
  /// invalidated during the request, if the user is unknown, or if the updated directives forbid
  /// it.
  func keep(_ stored: StoredResponse, _ step: Step) -> Promise<Void>? {
    guard isExact, cache.active.isValid(step.ticket) else { return nil }
    guard policy.refusal(to: stored.response, for: head.asGet) == nil else {
      cache.store.remove(stored, under: key, for: head.reader)
      return nil
    }
    let reader = policy.reader(of: stored.response, to: head)
    return cache.store.put(stored, under: key, for: reader)
  }

  /// Returns an answer with a deadline, until which levels above the HTTP cache may store it. The
  /// deadline is the time at which the response `validity` stops being fresh. When `validity` is
  /// `nil` or has the directive `no-cache`, the levels above must not store the answer.
  ///
  /// - Parameter write: The write to the store that the request has caused.
  func answer(
    _ response: NetworkResponse, _ status: HTTPCacheStatus, validity: NetworkResponse?,
    writing write: Promise<Void>? = nil
  ) -> HTTPAnswer {
    var status = status
    status.isStored = write != nil
    let freshness = validity.map { Freshness(of: $0, for: policy) }
    var answer = answer(response, status, until: freshness)
    answer.write = write
    return answer
  }

  func answer(
    _ response: NetworkResponse, _ status: HTTPCacheStatus, until freshness: Freshness?
  ) -> HTTPAnswer {
    let response = response.unsent
    guard let freshness, !freshness.control.isUnqualified("no-cache") else {
      let now = cache.clock.now()
      return HTTPAnswer(response, status, storedAt: now, expiresAt: now)
    }
    return HTTPAnswer(
      response, status, storedAt: freshness.start, expiresAt: freshness.end)
  }
}
