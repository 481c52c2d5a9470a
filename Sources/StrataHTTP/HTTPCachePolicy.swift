import Strata

/// The rules of an HTTP cache: RFC 9111, with RFC 5861, RFC 8246, and RFC 9213.
///
/// A policy is pure. It has no clock, no storage, and no connection: it decides only from the
/// responses and times that its callers pass. <doc:HTTPCaching> lists each rule with its section
/// and its test.
///
///     let now = TimeSource.system.now()
///     let response = HTTPResponse(
///       status: 200, fields: ["Cache-Control": "private, max-age=60"], url: url,
///       requestTime: now, responseTime: now)
///     HTTPCachePolicy().lifetime(of: response)  // 60 seconds
///     HTTPCachePolicy(isShared: true).refusal(to: response, for: URLRequest(url: url))
///     // .isPrivate: a shared cache must not store the response
public struct HTTPCachePolicy: Sendable, Equatable {
  /// Whether several users share the cache. The default is `false`: a private cache.
  ///
  /// A shared cache obeys `s-maxage`, `private`, `proxy-revalidate`, and `CDN-Cache-Control`, and
  /// stores a response to a request with `Authorization` only if the origin allows it.
  public var isShared: Bool

  /// The fraction, 0 to 1, of the time since `Last-Modified` during which a response without an
  /// explicit lifetime is fresh. The default is 0.1. Zero disables heuristic freshness.
  public var heuristicFraction: Double

  /// The maximum of a heuristic lifetime. The default is 7 days.
  public var heuristicLimit: Duration

  /// The lifetime of a 404 or 410 without an explicit one. The default is zero.
  public var negativeLifetime: Duration

  /// The time after the end of freshness in which a response is served if the origin can't be
  /// reached. The default is `nil`: without limit.
  ///
  /// RFC 9111, section 4.2.4, permits this to a disconnected cache. `no-cache`, `must-revalidate`
  /// and, in a shared cache, `proxy-revalidate` and `s-maxage` forbid it for a response.
  public var staleWhenUnreachable: Duration?

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - isShared: Whether several users share the cache.
  ///   - heuristicFraction: The fraction of the time since `Last-Modified`, clamped to 0...1.
  ///   - heuristicLimit: The maximum of a heuristic lifetime.
  ///   - negativeLifetime: The lifetime of a 404 or 410 without an explicit one.
  ///   - staleWhenUnreachable: The time after the end of freshness in which a response is served if
  ///     the origin can't be reached. Zero disables this. `nil` means no limit.
  public init(
    isShared: Bool = false, heuristicFraction: Double = 0.1,
    heuristicLimit: Duration = .seconds(7 * 86_400), negativeLifetime: Duration = .zero,
    staleWhenUnreachable: Duration? = nil
  ) {
    self.isShared = isShared
    self.heuristicFraction = heuristicFraction.isNaN ? 0 : min(max(heuristicFraction, 0), 1)
    self.heuristicLimit = max(.zero, heuristicLimit)
    self.negativeLifetime = max(.zero, negativeLifetime)
    self.staleWhenUnreachable = staleWhenUnreachable.map { max(.zero, $0) }
  }
}

extension HTTPCachePolicy {
  /// The directives that apply to a response, and whether they replace `Expires` too.
  ///
  /// A shared cache prefers a valid `CDN-Cache-Control` (RFC 9213, section 2.2).
  func directives(of fields: HTTPFields) -> (control: CacheControl, isTargeted: Bool) {
    if isShared, let targeted = TargetedCacheControl.select(["CDN-Cache-Control"], in: fields) {
      return (targeted, true)
    }
    return (CacheControl(fields), false)
  }
}
