import Foundation
import Strata

extension HTTPExchange {
  /// Answers a GET request with the origin's response, which replaces the stored response.
  func replaced(by response: HTTPResponse, _ step: Step) -> HTTPAnswer {
    let response = response.dated
    var status = HTTPCacheStatus(.miss, forward: step.reason, forwardStatus: response.status)
    guard let refusal = policy.refusal(to: response, for: head) else {
      var stored = policy.stored(response, for: head)
      if let known = step.stored, let union = policy.combined(known, with: stored, for: head) {
        stored = union
      }
      let write = keep(stored, step)
      return answer(
        conditional(response, stored, step), status, validity: stored.response, writing: write)
    }
    status.detail = refusal.rawValue
    if let stored = step.stored, response.status < 500, response.status != 304 {
      cache.store.remove(stored, under: key)
    }
    return answer(conditional(response, nil, step), status, validity: nil)
  }

  /// Returns the response for the client, or a 304 if the client's conditions show that the client
  /// already has the response. The origin didn't evaluate the client's conditions, because the
  /// cache sent its own conditions.
  private func conditional(
    _ response: HTTPResponse, _ stored: StoredResponse?, _ step: Step
  ) -> HTTPResponse {
    guard step.isValidating, let stored, stored.isComplete,
      Conditions.isUnmodified(response, for: head.fields)
    else { return response }
    return policy.answer(from: stored, to: head, at: cache.clock.now()) ?? response
  }

  /// Answers a HEAD request with the origin's response. The header fields of the HEAD response also
  /// update the stored response to a GET request (RFC 9111, section 4.3.5).
  func updated(byHead response: HTTPResponse, _ step: Step) -> HTTPAnswer {
    let response = response.dated
    let status = HTTPCacheStatus(.miss, forward: step.reason, forwardStatus: response.status)
    if let stored = step.stored, response.status == 200 {
      if let fresh = policy.freshened(stored, byHead: response, for: head) {
        let write = keep(fresh, step)
        let merged = policy.answer(from: fresh, to: head, at: cache.clock.now())
        return answer(merged ?? response, status, validity: fresh.response, writing: write)
      }
      cache.store.remove(stored, under: key)
    }
    return answer(response, status, validity: nil)
  }

  /// Stores a response, and returns the write, or `nil` if the response isn't stored. A response
  /// isn't stored if the URL was invalidated during the request, or if the response's updated
  /// directives forbid storing it.
  func keep(_ stored: StoredResponse, _ step: Step) -> Promise<Void>? {
    let get = RequestHead(method: "GET", url: head.url, fields: head.fields)
    guard cache.active.isValid(step.ticket) else { return nil }
    guard policy.refusal(to: stored.response, for: get) == nil else {
      cache.store.remove(stored, under: key)
      return nil
    }
    return cache.store.put(stored, under: key)
  }

  /// Forwards a request that the store can't answer, and removes the stored responses that the
  /// request invalidates.
  func pass() -> Promise<HTTPAnswer> {
    let reason: HTTPCacheStatus.Forward = head.isRetrieval ? .request : .method
    if head.control.contains("only-if-cached") { return Promise(timeout(reason, "only-if-cached")) }
    if cache.isOffline(head.url) { return Promise(timeout(reason, "offline")) }
    let result = cache.origin(request).recover { error throws -> Promise<HTTPResponse> in
      // The origin might have processed the request before the connection failed, so the stored
      // responses for the URL might be outdated.
      if !HTTPStatus.isSafe(head.method) { cache.remove(head.url) }
      throw error
    }
    return result.map { response in
      let response = response.dated
      for url in Invalidation.urls(response, to: head) { cache.remove(url) }
      let status = HTTPCacheStatus(.passed, forward: reason, forwardStatus: response.status)
      guard head.method == "POST", policy.refusal(to: response, for: head) == nil else {
        return answer(response, status, validity: nil)
      }
      let write = cache.store.put(policy.stored(response, for: head), under: key)
      return answer(response, status, validity: nil, writing: write)
    }
  }

  /// Returns a 504 without sending a request to the origin (RFC 9111, section 5.2.1.7).
  func timeout(_ reason: HTTPCacheStatus.Forward, _ detail: String) -> HTTPAnswer {
    let now = cache.clock.now()
    let response = HTTPResponse(
      status: 504, fields: ["Cache-Control": "no-store", "Content-Length": "0"], url: head.url,
      requestTime: now, responseTime: now)
    let status = HTTPCacheStatus(.passed, forward: reason, detail: detail)
    return answer(response.dated, status, validity: nil)
  }

  /// Returns an answer with a deadline, until which levels above the HTTP cache may store the
  /// answer. The deadline is the time at which the response `validity` stops being fresh. If
  /// `validity` is `nil` or has the directive `no-cache`, levels above the HTTP cache must not
  /// store the answer.
  ///
  /// - Parameter write: The write to the store that the request has caused.
  func answer(
    _ response: HTTPResponse, _ status: HTTPCacheStatus, validity: HTTPResponse?,
    writing write: Promise<Void>? = nil
  ) -> HTTPAnswer {
    var status = status
    status.isStored = write != nil
    var answer = answer(response, status, until: validity)
    answer.write = write
    return answer
  }

  private func answer(
    _ response: HTTPResponse, _ status: HTTPCacheStatus, until validity: HTTPResponse?
  ) -> HTTPAnswer {
    let now = cache.clock.now()
    guard let validity, !policy.directives(of: validity.fields).control.isUnqualified("no-cache")
    else { return HTTPAnswer(response, status, storedAt: now, expiresAt: now) }
    return HTTPAnswer(
      response, status, storedAt: validity.responseTime.advanced(by: .zero - validity.initialAge),
      expiresAt: policy.end(of: validity))
  }
}
