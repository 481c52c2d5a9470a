import Strata

extension HTTPCachePolicy {
  /// A validation that brought no usable response.
  enum Failure: Equatable {
    /// The origin can't be reached.
    case unreachable
    /// The origin answered with a status.
    case status(Int)
  }

  /// Returns whether a stored response answers a request because the origin fails.
  ///
  /// `stale-if-error` of the response or the request permits it for a time, for 500, 502, 503, 504,
  /// and an unreachable origin (RFC 5861, section 4). If the origin can't be reached,
  /// ``staleWhenUnreachable`` permits it too (RFC 9111, section 4.2.4). A directive that forbids
  /// stale responses has precedence, and so has a request that demands a validation.
  func serves(
    _ stored: StoredResponse, for request: RequestHead, after failure: Failure,
    at now: TimeSource.Instant
  ) -> Bool {
    let control = directives(of: stored.response.fields).control
    let isFromTheFuture = stored.response.responseTime > now.advanced(by: .seconds(60))
    guard !isFromTheFuture, !forbidsStale(control), !insists(request.control) else { return false }
    let staleness = staleness(of: stored.response, at: now)
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
