import StrataNetwork

extension HTTPCachePolicy {
  /// How the cache uses a stored response that matches a request (RFC 9111, section 4).
  enum Verdict: Equatable {
    /// The response answers the request.
    case fresh
    /// The response is stale, but the request permits a stale response.
    case permittedStale
    /// The stale response answers the request while a validation runs (RFC 5861, section 3).
    case staleWhileRevalidate
    /// The response must be validated before it answers the request.
    case mustValidate(Cause)
  }

  /// The cause of a validation.
  enum Cause: String, Sendable {
    case stale
    case request
    case noCache = "no-cache"
    case clock
  }

  func verdict(
    on stored: StoredResponse, for request: RequestHead, at now: TimeSource.Instant
  ) -> Verdict {
    verdict(on: stored, Freshness(of: stored.response, for: self), for: request, at: now)
  }

  func verdict(
    on stored: StoredResponse, _ freshness: Freshness, for request: RequestHead,
    at now: TimeSource.Instant
  ) -> Verdict {
    let (response, control) = (stored.response, freshness.control)
    // When the clock was set back, a response can appear to be from the future. Its age is then
    // unknown.
    if response.responseTime > now.advanced(by: .seconds(60)) { return .mustValidate(.clock) }
    let staleness = freshness.staleness(at: now)
    let isImmutable = control.contains("immutable") && staleness < .zero  // RFC 8246.
    if control.isUnqualified("no-cache") { return .mustValidate(.noCache) }
    if rejects(request.control, freshness.age(at: now), staleness, isImmutable: isImmutable) {
      return .mustValidate(.request)
    }
    if staleness < .zero { return .fresh }
    if forbidsStale(control) { return .mustValidate(.stale) }
    if permitsStale(request.control, staleness) { return .permittedStale }
    return staleness < window("stale-while-revalidate", control)
      ? .staleWhileRevalidate : .mustValidate(.stale)
  }

  /// Whether the directives of a request reject a response (RFC 9111, section 5.2.1). When
  /// malformed, `max-age` and `min-fresh` reject every response.
  private func rejects(
    _ request: CacheControl, _ age: Duration, _ staleness: Duration, isImmutable: Bool
  ) -> Bool {
    if request.contains("no-cache") { return true }
    switch request.delta("max-age") {
    case .absent: break
    case .invalid: return true
    case .seconds(let limit): if age > .seconds(limit), !isImmutable { return true }
    }
    switch request.delta("min-fresh") {
    case .absent: return false
    case .invalid: return true
    case .seconds(let rest): return .zero - staleness < .seconds(rest)
    }
  }

  /// Whether `max-stale` in a request permits a response with the given staleness. Without an
  /// argument, the directive permits any staleness (RFC 9111, section 5.2.1.2).
  private func permitsStale(_ request: CacheControl, _ staleness: Duration) -> Bool {
    guard request.contains("max-stale") else { return false }
    let hasArgument = request.directives.contains { directive in
      directive.name == "max-stale" && (directive.argument != nil || directive.isMalformed)
    }
    return !hasArgument || staleness <= .seconds(request.seconds("max-stale") ?? -1)
  }

  /// Whether the directives of a response forbid the cache to serve it when it's stale (RFC 9111,
  /// section 4.2.4).
  func forbidsStale(_ control: CacheControl) -> Bool {
    let shared = ["proxy-revalidate", "s-maxage"]
    return control.contains("must-revalidate") || control.isUnqualified("no-cache")
      || isShared && shared.contains(where: control.contains)
  }

  /// Returns how stale a response may be according to a directive, such as `stale-if-error`. It's
  /// zero if the directive is absent or malformed.
  func window(_ name: String, _ control: CacheControl) -> Duration {
    .seconds(control.seconds(name) ?? 0)
  }
}
