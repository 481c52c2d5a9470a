import Strata

/// An answer of an HTTP cache: a response, the outcome of the request, and the end of the
/// response's freshness.
public struct HTTPAnswer: Sendable {
  /// The response. A response from the store has an `Age` field.
  public var response: HTTPResponse
  /// The outcome that led to the response.
  public let status: HTTPCacheStatus
  /// The time at which the origin created or validated the response, on the clock of the cache.
  public let storedAt: TimeSource.Instant
  /// The end of the response's freshness. After this time, levels above must not serve the
  /// response. If the response must not be reused, this time is in the past.
  public let expiresAt: TimeSource.Instant

  init(
    _ response: HTTPResponse, _ status: HTTPCacheStatus, storedAt: TimeSource.Instant,
    expiresAt: TimeSource.Instant
  ) {
    (self.response, self.status) = (response, status)
    (self.storedAt, self.expiresAt) = (storedAt, expiresAt)
  }

  /// The response as a stamped value, with its creation time and deadline.
  public var stamped: Stamped<HTTPResponse> {
    Stamped(response, storedAt: storedAt, expiresAt: expiresAt)
  }
}
