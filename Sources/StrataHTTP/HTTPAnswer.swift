import StrataNetwork

/// An answer from an HTTP cache: a response, the outcome of the request, and the time at which the
/// response stops being fresh.
public struct HTTPAnswer: Sendable {
  /// The response. When it comes from the store, it has an `Age` field.
  public var response: NetworkResponse
  /// The outcome of the request, such as a hit.
  public internal(set) var status: HTTPCacheStatus
  /// The time at which the origin created or last validated the response, as measured by the
  /// cache's clock.
  public let storedAt: TimeSource.Instant
  /// The time at which the response stops being fresh. After this time, levels above the HTTP cache
  /// must not serve the response. A response that must not be reused has already expired when the
  /// cache returns it.
  public let expiresAt: TimeSource.Instant
  /// The write to the store, or `nil` if the cache doesn't store the response. It fails if the
  /// store refuses the response.
  package var write: Promise<Void>?

  /// The error of the origin, if it's the reason for a stale response. Requests that wait for this
  /// answer receive the same error.
  var failure: (any Error)?
  /// The error response of the origin, if a stale response replaces it.
  var refusal: NetworkResponse?

  init(
    _ response: NetworkResponse, _ status: HTTPCacheStatus, storedAt: TimeSource.Instant,
    expiresAt: TimeSource.Instant
  ) {
    (self.response, self.status) = (response, status)
    (self.storedAt, self.expiresAt) = (storedAt, expiresAt)
  }

  /// Returns this stale answer with the error response that it replaces.
  func refused(by response: NetworkResponse) -> HTTPAnswer {
    var result = self
    result.refusal = response.unsent
    return result
  }

  /// The response as a stamped value, with its creation time and deadline.
  public var stamped: Stamped<NetworkResponse> {
    Stamped(response, storedAt: storedAt, expiresAt: expiresAt)
  }

  /// This answer after its write has ended. Before that, it's unknown whether the store accepts the
  /// response, so the status isn't exact. When the caller stops waiting, the write continues.
  var afterWrite: Promise<HTTPAnswer> {
    guard let write else { return Promise(self) }
    return Promise { continuation in
      write.onCompletion { outcome in
        var answer = self
        if case .success = outcome {} else { answer.status.isStored = false }
        continuation.succeed(answer)
      }
    }
  }
}

extension NetworkResponse {
  /// This response without the requests that led to it, because they contain passwords and tokens.
  var unsent: NetworkResponse {
    var result = self
    (result.sent, result.hops) = (nil, [])
    return result
  }
}
