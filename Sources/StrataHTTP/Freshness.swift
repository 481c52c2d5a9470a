import StrataNetwork

/// What the header of a response says about its age and its lifetime.
///
/// Dates and directives take longer to read than the rest of a hit, so each hit reads them once.
struct Freshness: Sendable {
  let control: CacheControl
  let lifetime: HTTPCachePolicy.Lifetime
  /// The age of the response on arrival. See ``HTTPCachePolicy/age(of:at:)``.
  let initialAge: Duration
  private let arrival: TimeSource.Instant

  init(of response: NetworkResponse, for policy: HTTPCachePolicy) {
    let (control, isTargeted) = policy.directives(of: response.fields)
    let date = response.date
    self.control = control
    lifetime = policy.lifetime(of: response, control, isTargeted: isTargeted, date: date)
    initialAge = response.initialAge(date: date)
    arrival = response.responseTime
  }

  func age(at now: TimeSource.Instant) -> Duration {
    initialAge + max(.zero, arrival.duration(to: now))
  }

  /// Returns how long ago the response stopped being fresh. While it's fresh, the result is
  /// negative.
  func staleness(at now: TimeSource.Instant) -> Duration { age(at: now) - lifetime.duration }

  /// The time at which the origin created or last validated the response.
  var start: TimeSource.Instant { arrival.advanced(by: .zero - initialAge) }

  /// The time at which the response stops being fresh.
  var end: TimeSource.Instant { arrival.advanced(by: lifetime.duration - initialAge) }
}
