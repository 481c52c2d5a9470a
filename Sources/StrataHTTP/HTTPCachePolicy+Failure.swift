import StrataNetwork

extension HTTPCachePolicy {
  /// The reason why a validation returned no usable response.
  enum Failure: Equatable {
    /// The origin can't be reached.
    case unreachable
    /// The origin answered with this status.
    case status(Int)
  }

  /// Whether the rules allow a stored response to answer a request after the origin has failed.
  ///
  /// The directive `stale-if-error` in the response or the request permits a stale response for a
  /// limited time. The directive applies if the origin can't be reached, or returns 500, 502, 503,
  /// or 504 (RFC 5861, section 4). When the origin can't be reached, ``staleWhenUnreachable`` also
  /// permits a stale response (RFC 9111, section 4.2.4). But neither permits a stale response if
  /// the response itself forbids it, or if the request requires a validation.
  func serves(
    _ stored: StoredResponse, for request: RequestHead, after failure: Failure,
    at now: TimeSource.Instant
  ) -> Bool {
    let freshness = Freshness(of: stored.response, for: self)
    let control = freshness.control
    let isFromTheFuture = stored.response.responseTime > now.advanced(by: .seconds(60))
    guard !isFromTheFuture, !forbidsStale(control), !insists(request.control) else { return false }
    let staleness = freshness.staleness(at: now)
    if case .status(let status) = failure, !HTTPStatus.isError(status) { return false }
    let windows = [control, request.control].map { window("stale-if-error", $0) }
    if windows.contains(where: { staleness < $0 }) { return true }
    guard failure == .unreachable else { return false }
    return staleWhenUnreachable.map { staleness < $0 } ?? true
  }

  private func insists(_ request: CacheControl) -> Bool {
    ["no-cache", "max-age", "min-fresh"].contains(where: request.contains)
  }
}
