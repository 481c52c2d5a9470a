import Strata

/// An answer of an HTTP cache: a response, the outcome, and the end of freshness.
public struct HTTPAnswer: Sendable {
  /// The response. A response from the store has an `Age` field.
  public var response: HTTPResponse
  /// The outcome that led to the response.
  public let status: HTTPCacheStatus
  /// The time at which the origin made or validated the response, by the clock of the cache.
  public let storedAt: TimeSource.Instant
  /// The end of freshness. After this time, no level above may serve the response. If the response
  /// must not be reused, this time is in the past.
  public let expiresAt: TimeSource.Instant

  init(
    _ response: HTTPResponse, _ status: HTTPCacheStatus, storedAt: TimeSource.Instant,
    expiresAt: TimeSource.Instant
  ) {
    (self.response, self.status) = (response, status)
    (self.storedAt, self.expiresAt) = (storedAt, expiresAt)
  }

  /// The response with its age, for levels of stamped values.
  public var stamped: Stamped<HTTPResponse> {
    Stamped(response, storedAt: storedAt, expiresAt: expiresAt)
  }
}
