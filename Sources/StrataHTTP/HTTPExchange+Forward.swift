import Foundation
import StrataNetwork

extension HTTPExchange {
  /// Sends the request to the origin, with the conditions that validate a stored response.
  ///
  /// When no stored response can be validated, a GET goes out without the client's conditions. A
  /// 304 would leave the store empty, so each later request would also have to be sent.
  ///
  /// The cache doesn't send the entity tags of other variants, because some origins use one tag for
  /// all variants of a URL. After a 304 for such a tag, the cache could return a variant that the
  /// client can't use.
  func forward(
    _ stored: StoredResponse?, _ reason: HTTPCacheStatus.Forward
  ) -> Promise<HTTPAnswer> {
    let validating = stored.flatMap(validation)
    let step = Step(
      stored: stored, purpose: validating == nil ? .load : .validate, reason: reason,
      ticket: cache.active.enter(key))
    return send(validating ?? (head.method == "GET" ? unconditional : fields), step)
  }

  /// Sends the request with other fields, and processes the response.
  func send(_ fields: HeaderFields, _ step: Step) -> Promise<HTTPAnswer> {
    let request = fields == self.fields ? request : request.with(fields)
    let result = cache.origin(request).flatMap { judged(by: $0).receive($0, step) }
      .recover { try recover($0, step.stored, step.reason) }
    result.observed { [active = cache.active] _ in active.leave(step.ticket) }
    return result
  }

  /// One request to the origin.
  struct Step: Sendable {
    /// The purpose of a request.
    enum Purpose {
      /// The request loads what the client requests.
      case load
      /// The request has conditions that validate the stored response.
      case validate
      /// The request has a range that completes the stored part.
      case complete
    }

    let stored: StoredResponse?
    let purpose: Purpose
    let reason: HTTPCacheStatus.Forward
    let ticket: ActiveKeys.Ticket

    /// Whether a response with this status answers a condition or a range that only the cache has
    /// added. The client must not receive such a response.
    func isInternal(_ status: Int) -> Bool {
      switch purpose {
      case .load: false
      case .validate: status == 304
      case .complete: [206, 304, 416].contains(status)
      }
    }
  }

  /// Returns the header fields of a request that validates a stored response. When the stored
  /// response is only a part, it must contain the requested range (RFC 9111, section 4.3.2).
  private func validation(_ stored: StoredResponse) -> HeaderFields? {
    if !stored.isComplete, policy.answer(from: stored, to: head, at: cache.clock.now()) == nil {
      return nil
    }
    return Conditions.validating(stored, fields)
  }

  /// Processes a response. If the response answers only the cache's own condition or range, and
  /// can't be used, sends the client's request.
  private func receive(_ response: NetworkResponse, _ step: Step) -> Promise<HTTPAnswer> {
    if let stored = step.stored, HTTPStatus.isError(response.status),
      let answer = stale(stored, .status(response.status), step.reason)
    {
      return Promise(answer.refused(by: response))
    }
    if step.isInternal(response.status) {
      return updated(by: response, step).map { Promise($0) } ?? forward(nil, step.reason)
    }
    guard head.isAnswered(by: response) else { return Promise(redirected(response, step)) }
    let isHead = head.method == "HEAD"
    return Promise(isHead ? updated(byHead: response, step) : replaced(by: response, step))
  }

  /// Returns the stored response, validated or completed by a new one. Returns `nil` if the new one
  /// doesn't refer to it.
  private func updated(by response: NetworkResponse, _ step: Step) -> HTTPAnswer? {
    guard let stored = step.stored, head.isAnswered(by: response) else { return nil }
    if step.purpose == .complete { return union(stored, response, step) }
    let fresh = policy.freshened(stored, by: response, for: head)
    guard Conditions.selects(response, stored.response),
      var answered = policy.answer(from: fresh, to: head, at: cache.clock.now())
    else { return nil }
    answered.interim = response.interim
    let status = HTTPCacheStatus(.revalidated, forward: step.reason, forwardStatus: 304)
    return answer(answered, status, validity: fresh.response, writing: keep(fresh, step))
  }

  /// Replaces the failure of an origin with a stale response, if the rules permit it.
  func recover(
    _ error: any Error, _ stored: StoredResponse?, _ reason: HTTPCacheStatus.Forward
  ) throws -> Promise<HTTPAnswer> {
    guard let stored, HTTPCachePolicy.isUnreachable(error),
      var answer = stale(stored, .unreachable, reason)
    else { throw error }
    answer.failure = error
    return Promise(answer)
  }

  func stale(
    _ stored: StoredResponse, _ failure: HTTPCachePolicy.Failure,
    _ reason: HTTPCacheStatus.Forward
  ) -> HTTPAnswer? {
    let now = cache.clock.now()
    guard policy.serves(stored, for: head, after: failure, at: now),
      let response = policy.answer(from: stored, to: head, at: now)
    else { return nil }
    var status = HTTPCacheStatus(.hit, forward: reason, detail: "stale-if-error")
    status.isCollapsed = isCollapsed
    if case .status(let code) = failure { status.forwardStatus = code }
    return answer(response, status, validity: stored.response)
  }
}

extension HTTPCachePolicy {
  /// Whether an error means that the origin can't be reached or doesn't speak HTTP. A refused
  /// request or a response that is too large doesn't mean that.
  static func isUnreachable(_ error: any Error) -> Bool {
    guard let error = error as? NetworkError else { return !(error is CancellationError) }
    switch error.reason {
    case .refusedURL, .refusedRequest, .tooLarge, .tooManyRedirects, .cancelled: return false
    default: return true
    }
  }
}

extension URLRequest {
  /// Returns this request with its header fields replaced by the given fields.
  func with(_ fields: HeaderFields) -> URLRequest {
    var request = self
    for name in (allHTTPHeaderFields ?? [:]).keys {
      request.setValue(nil, forHTTPHeaderField: name)
    }
    for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
    return request
  }
}
