import Foundation
import Strata

extension HTTPCachePolicy {
  /// The source of a lifetime.
  enum Lifetime: Equatable {
    /// The origin stated it, or stated something invalid, which counts as zero.
    case explicit(Duration)
    /// The cache estimated it.
    case heuristic(Duration)
    /// There is no lifetime: the response is never fresh.
    case none

    var duration: Duration {
      switch self {
      case .explicit(let duration), .heuristic(let duration): duration
      case .none: .zero
      }
    }
  }

  /// Returns the time that a response is fresh, from the time at which the origin made it.
  ///
  /// RFC 9111, section 4.2.1: the first of `s-maxage` in a shared cache, `max-age`, and `Expires`
  /// minus `Date` counts. An invalid value, or several that differ, counts as zero. Without all of
  /// them the lifetime is heuristic (section 4.2.2), or zero.
  ///
  /// - Complexity: O(n) in the size of the header.
  public func lifetime(of response: HTTPResponse) -> Duration { source(of: response).duration }

  func source(of response: HTTPResponse) -> Lifetime {
    let (control, isTargeted) = directives(of: response.fields)
    for name in isShared ? ["s-maxage", "max-age"] : ["max-age"] {
      switch control.delta(name) {
      case .seconds(let seconds): return .explicit(.seconds(seconds))
      case .invalid: return .explicit(.zero)
      case .absent: continue
      }
    }
    if !isTargeted, response.fields.contains("Expires") {
      return .explicit(expiry(of: response).map { $0 - response.date } ?? .zero)
    }
    return heuristic(response, control)
  }

  /// The time of `Expires` since 1970, or `nil` if it is invalid (section 5.3).
  private func expiry(of response: HTTPResponse) -> Duration? {
    response.time(of: "Expires").map { .seconds($0) }
  }

  /// Section 4.2.2: only for a status that allows it, or with `public`.
  private func heuristic(_ response: HTTPResponse, _ control: CacheControl) -> Lifetime {
    guard HTTPStatus.isHeuristicallyCacheable(response.status) || control.contains("public"),
      !isForbiddenByPragma(response.fields, control)
    else { return .none }
    let negative = HTTPStatus.isAbsence(response.status) ? negativeLifetime : .zero
    guard let modified = response.time(of: "Last-Modified") else {
      return negative > .zero ? .heuristic(negative) : .none
    }
    let age = max(.zero, response.date - .seconds(modified))
    return .heuristic(max(min(age * heuristicFraction, heuristicLimit), negative))
  }

  /// Section 5.4 gives `Pragma` no meaning in a response. It only prevents an estimate.
  private func isForbiddenByPragma(_ fields: HTTPFields, _ control: CacheControl) -> Bool {
    control.directives.isEmpty && CacheControl(fields, name: "Pragma").contains("no-cache")
  }
}

extension HTTPResponse {
  /// The time at which the origin made the response, since 1970: `Date`, or the time of arrival if
  /// `Date` is absent or invalid (RFC 9110, section 6.6.1).
  var date: Duration { time(of: "Date").map { .seconds($0) } ?? responseTime.sinceEpoch }

  /// The seconds since 1970 of a field that holds one date, or `nil` if it's absent, invalid, or
  /// occurs with different values.
  func time(of name: String) -> Int64? {
    let values = fields.values(of: name)
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return HTTPDate.seconds(first, now: responseTime.sinceEpoch.components.seconds)
  }
}
