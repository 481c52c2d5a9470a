import StrataNetwork

/// The rules of an HTTP cache, as RFC 9111, RFC 5861, RFC 8246, and RFC 9213 define them.
///
/// A policy is a pure value, without a clock, storage, or connections. Its decisions depend only on
/// the requests, responses, and times that callers pass.
///
///     let now = TimeSource.system.now()
///     let response = NetworkResponse(
///       status: 200, fields: ["Cache-Control": "private, max-age=60"], url: url,
///       requestTime: now, responseTime: now)
///     HTTPCachePolicy().lifetime(of: response)  // 60 seconds
///     HTTPCachePolicy(isShared: true).refusal(to: response, for: URLRequest(url: url))
///     // .isPrivate: a shared cache must not store the response
public struct HTTPCachePolicy: Sendable, Equatable {
  /// Whether several users share the cache. The default is `false`: a private cache.
  ///
  /// A shared cache obeys `s-maxage`, `private`, `proxy-revalidate`, and `CDN-Cache-Control`. It
  /// stores the response to a request with `Authorization` only if the origin allows it.
  public var isShared: Bool

  /// The lifetime of a response that states none, as a fraction of the time between `Last-Modified`
  /// and `Date`. The fraction is from 0 to 1, and 0.1 by default. Zero disables heuristic
  /// lifetimes. Numbers out of this range are clamped, and NaN becomes zero.
  public var heuristicFraction: Double {
    didSet { heuristicFraction = Self.bounded(heuristicFraction) }
  }

  /// The maximum heuristic lifetime. The default is 7 days. Each duration of a policy is clamped to
  /// the range from zero to 2^31 seconds, about 68 years.
  public var heuristicLimit: Duration {
    didSet { heuristicLimit = Self.bounded(heuristicLimit) }
  }

  /// The lifetime of a 404 or 410 response without an explicit lifetime. The default is zero.
  public var negativeLifetime: Duration {
    didSet { negativeLifetime = Self.bounded(negativeLifetime) }
  }

  /// The maximum staleness of a response that is served because the origin can't be reached.
  /// Directives such as `stale-if-error` can permit a longer time. The default, `nil`, means no
  /// limit.
  ///
  /// RFC 9111, section 4.2.4, permits a disconnected cache to serve stale responses. But `no-cache`
  /// and `must-revalidate` in the response forbid it. In a shared cache, `proxy-revalidate` and
  /// `s-maxage` do so as well.
  public var staleWhenUnreachable: Duration? {
    didSet { staleWhenUnreachable = staleWhenUnreachable.map(Self.bounded) }
  }

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - isShared: Whether several users share the cache.
  ///   - heuristicFraction: The heuristic lifetime as a fraction of the time between
  ///     `Last-Modified` and `Date`. The fraction is clamped to 0...1.
  ///   - heuristicLimit: The maximum heuristic lifetime.
  ///   - negativeLifetime: The lifetime of a 404 or 410 response without an explicit lifetime.
  ///   - staleWhenUnreachable: The maximum staleness of a response that is served because the
  ///     origin can't be reached. When it's zero, only directives such as `stale-if-error` permit
  ///     stale responses. When it's `nil`, there is no limit.
  public init(
    isShared: Bool = false, heuristicFraction: Double = 0.1,
    heuristicLimit: Duration = .seconds(7 * 86_400), negativeLifetime: Duration = .zero,
    staleWhenUnreachable: Duration? = nil
  ) {
    self.isShared = isShared
    self.heuristicFraction = Self.bounded(heuristicFraction)
    self.heuristicLimit = Self.bounded(heuristicLimit)
    self.negativeLifetime = Self.bounded(negativeLifetime)
    self.staleWhenUnreachable = staleWhenUnreachable.map(Self.bounded)
  }

  private static func bounded(_ fraction: Double) -> Double {
    fraction.isNaN ? 0 : min(max(fraction, 0), 1)
  }

  private static func bounded(_ duration: Duration) -> Duration {
    min(max(duration, .zero), .seconds(DeltaSeconds.greatest))
  }
}

extension HTTPCachePolicy {
  /// Returns the directives that apply to a response. When `isTargeted` is `true`, the directives
  /// are from `CDN-Cache-Control`, and the `Expires` field is ignored.
  ///
  /// A shared cache prefers a valid `CDN-Cache-Control` field to `Cache-Control` (RFC 9213, section
  /// 2.2).
  func directives(of fields: HeaderFields) -> (control: CacheControl, isTargeted: Bool) {
    if isShared, let targeted = TargetedCacheControl.select(["CDN-Cache-Control"], in: fields) {
      return (targeted, true)
    }
    return (CacheControl(fields), false)
  }
}
