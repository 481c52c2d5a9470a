import StrataNetwork

extension HTTPCachePolicy {
  /// Returns the age of a response: the time since the origin created or last validated it.
  ///
  /// It's the time that the response has spent in the cache, plus its age on arrival. There are two
  /// estimates of the age on arrival (RFC 9111, section 4.2.3). One is the time from the response's
  /// `Date` to its arrival. The other is its `Age` plus the duration of the request. Because the
  /// greater one counts, a wrong clock can make a response appear older, but never younger.
  ///
  /// - Parameters:
  ///   - response: A response with the times of its request and its arrival.
  ///   - now: The current time, from the clock that measured the times of the response. A time
  ///     before the arrival of the response counts as its time of arrival.
  public func age(of response: NetworkResponse, at now: TimeSource.Instant) -> Duration {
    Freshness(of: response, for: self).age(at: now)
  }
}

extension NetworkResponse {
  /// Returns the age of the response on arrival, which is `corrected_initial_age` in RFC 9111,
  /// section 4.2.3.
  ///
  /// - Parameter date: The ``date`` of the response.
  func initialAge(date: Duration) -> Duration {
    let arrival = responseTime.sinceEpoch.components.seconds
    let difference = arrival - date.components.seconds
    // The origin rounds `Date` down to a whole second. So a difference of one second doesn't show
    // that the response has aged.
    let apparent = Duration.seconds(difference > 1 ? difference : 0)
    let delay = max(.zero, requestTime.duration(to: responseTime))
    return max(apparent, .seconds(statedAge ?? 0) + delay)
  }

  /// The number of seconds in the `Age` field, or `nil` if the field is absent or invalid. In a
  /// list, the first element counts (RFC 9111, section 5.1).
  var statedAge: Int64? {
    let list = fields.values(of: "Age").joined(separator: ",")
    return list.split(separator: ",", omittingEmptySubsequences: false).first
      .flatMap { DeltaSeconds.read(HTTPSyntax.trimmed(String($0))) }
  }
}
