import Strata

extension HTTPCachePolicy {
  /// Returns the age of a response: the time since the origin made or last validated it.
  ///
  /// The age is the time in the cache plus the greater of two estimates of the age on arrival (RFC
  /// 9111, section 4.2.3). The first estimate is the time of arrival minus `Date`. The second
  /// estimate is `Age` plus the duration of the request. A wrong clock therefore makes a response
  /// older, never younger.
  ///
  /// - Parameters:
  ///   - response: A response with the times of its request and its arrival.
  ///   - now: The current time, on the clock that measured the times of the response. A time before
  ///     the arrival counts as the time of arrival.
  public func age(of response: HTTPResponse, at now: TimeSource.Instant) -> Duration {
    response.initialAge + max(.zero, response.responseTime.duration(to: now))
  }

  /// Returns the time at which a response's freshness ends.
  func end(of response: HTTPResponse) -> TimeSource.Instant {
    response.responseTime.advanced(by: lifetime(of: response) - response.initialAge)
  }

  /// Returns the time since the end of a response's freshness. The time is negative while the
  /// response is fresh.
  func staleness(of response: HTTPResponse, at now: TimeSource.Instant) -> Duration {
    age(of: response, at: now) - lifetime(of: response)
  }
}

extension HTTPResponse {
  /// The age on arrival: `corrected_initial_age` of RFC 9111, section 4.2.3.
  var initialAge: Duration {
    let arrival = responseTime.sinceEpoch.components.seconds
    let difference = arrival - date.components.seconds
    // `Date` is rounded down to a second, so a difference of one second isn't an age.
    let apparent = Duration.seconds(difference > 1 ? difference : 0)
    let delay = max(.zero, requestTime.duration(to: responseTime))
    return max(apparent, .seconds(statedAge ?? 0) + delay)
  }

  /// The seconds in the `Age` field. Only the first member counts, and an invalid member is ignored
  /// (section 5.1).
  var statedAge: Int64? {
    let list = fields.values(of: "Age").joined(separator: ",")
    return list.split(separator: ",", omittingEmptySubsequences: false).first
      .flatMap { DeltaSeconds.read(HTTPSyntax.trimmed(String($0))) }
  }
}
