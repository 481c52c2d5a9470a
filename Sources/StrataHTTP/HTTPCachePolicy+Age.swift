import Strata

extension HTTPCachePolicy {
  /// Returns the age of a response: the time since the origin made or last validated it.
  ///
  /// RFC 9111, section 4.2.3. The age is the time in the cache, plus the greater of two estimates
  /// of the age on arrival. The first estimate is the time of arrival minus `Date`. The second is
  /// `Age` plus the time that the request took. A wrong clock therefore makes a response older,
  /// never younger.
  ///
  /// - Parameters:
  ///   - response: A response with the times of its request and its arrival.
  ///   - now: The current time, on the clock that measured the times of the response. A time before
  ///     the arrival counts as the arrival.
  public func age(of response: HTTPResponse, at now: TimeSource.Instant) -> Duration {
    response.initialAge + max(.zero, response.responseTime.duration(to: now))
  }

  /// The end of a response's freshness.
  func end(of response: HTTPResponse) -> TimeSource.Instant {
    response.responseTime.advanced(by: lifetime(of: response) - response.initialAge)
  }

  /// The time since the end of freshness. Negative while the response is fresh.
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

  /// The seconds of `Age`: its first member counts, and an invalid one is ignored (section 5.1).
  var statedAge: Int64? {
    let list = fields.values(of: "Age").joined(separator: ",")
    return list.split(separator: ",", omittingEmptySubsequences: false).first
      .flatMap { DeltaSeconds.read(HTTPSyntax.trimmed(String($0))) }
  }
}
