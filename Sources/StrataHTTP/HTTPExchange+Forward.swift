import Foundation
import Strata

extension HTTPExchange {
  /// Sends the request to the origin, with the conditions that validate a stored response.
  ///
  /// The entity tags of other variants aren't sent, because some origins use the same tag for all
  /// variants of a URL. If an origin answered 304 for a tag that several variants have, the cache
  /// could return a variant that the client can't use.
  func forward(
    _ stored: StoredResponse?, _ reason: HTTPCacheStatus.Forward
  ) -> Promise<HTTPAnswer> {
    let validating = stored.flatMap(validation)
    let step = Step(
      stored: stored, isValidating: validating != nil, reason: reason,
      ticket: cache.active.enter(key))
    let response = cache.origin(validating.map { request.with($0) } ?? request)
    let result = response.flatMap { receive($0, step) }.recover { try recover($0, step) }
    result.observed { [active = cache.active] _ in active.leave(step.ticket) }
    return result
  }

  /// One request to the origin. If `isValidating` is `true`, the request validates `stored`.
  struct Step: Sendable {
    let stored: StoredResponse?
    let isValidating: Bool
    let reason: HTTPCacheStatus.Forward
    let ticket: ActiveKeys.Ticket
  }

  /// Returns the header fields of a request that validates a stored response. A stored part is
  /// validated only if it contains the requested range (RFC 9111, section 4.3.2).
  private func validation(_ stored: StoredResponse) -> HTTPFields? {
    if !stored.isComplete, policy.answer(from: stored, to: head, at: cache.clock.now()) == nil {
      return nil
    }
    return Conditions.validating(stored, head.fields)
  }

  private func receive(_ response: HTTPResponse, _ step: Step) -> Promise<HTTPAnswer> {
    if response.status == 304, step.isValidating, let stored = step.stored {
      return validated(stored, by: response, step)
    }
    if let stored = step.stored, HTTPStatus.isError(response.status),
      let answer = stale(stored, .status(response.status), step)
    {
      return Promise(answer)
    }
    guard head.method == "GET" else { return Promise(updated(byHead: response, step)) }
    return Promise(replaced(by: response, step))
  }

  /// Returns the validated response. If the 304 doesn't refer to the stored response, this function
  /// sends an unconditional request.
  private func validated(
    _ stored: StoredResponse, by response: HTTPResponse, _ step: Step
  ) -> Promise<HTTPAnswer> {
    let fresh = policy.freshened(stored, by: response, for: head)
    guard StoreKey.text(response.url) == key, Conditions.selects(response, stored.response),
      var answered = policy.answer(from: fresh, to: head, at: cache.clock.now())
    else { return forward(nil, step.reason) }
    answered.interim = response.interim
    let status = HTTPCacheStatus(.revalidated, forward: step.reason, forwardStatus: 304)
    return Promise(
      answer(answered, status, validity: fresh.response, writing: keep(fresh, step)))
  }

  /// Replaces the failure of an origin with a stale response, if the rules permit stale responses.
  private func recover(_ error: any Error, _ step: Step) throws -> Promise<HTTPAnswer> {
    guard let stored = step.stored, HTTPCachePolicy.isUnreachable(error),
      let answer = stale(stored, .unreachable, step)
    else { throw error }
    return Promise(answer)
  }

  private func stale(
    _ stored: StoredResponse, _ failure: HTTPCachePolicy.Failure, _ step: Step
  ) -> HTTPAnswer? {
    let now = cache.clock.now()
    guard policy.serves(stored, for: head, after: failure, at: now),
      let response = policy.answer(from: stored, to: head, at: now)
    else { return nil }
    var status = HTTPCacheStatus(.hit, forward: step.reason, detail: "stale-if-error")
    if case .status(let code) = failure { status.forwardStatus = code }
    return answer(response, status, validity: stored.response)
  }
}

extension HTTPCachePolicy {
  /// Whether an error means that the origin can't be reached or doesn't speak HTTP. The result is
  /// `false` for a refused request and for an oversized response.
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
  func with(_ fields: HTTPFields) -> URLRequest {
    var request = self
    for name in (allHTTPHeaderFields ?? [:]).keys {
      request.setValue(nil, forHTTPHeaderField: name)
    }
    for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
    return request
  }
}
