import Foundation
import StrataNetwork

extension HTTPCachePolicy {
  /// A lifetime, and whether the origin stated it or the cache estimated it.
  enum Lifetime: Equatable, Sendable {
    /// The lifetime that the origin stated. But an invalid lifetime counts as zero.
    case explicit(Duration)
    /// The lifetime that the cache estimated.
    case heuristic(Duration)
    /// The response has no lifetime, so it is never fresh.
    case none

    var duration: Duration {
      switch self {
      case .explicit(let duration), .heuristic(let duration): duration
      case .none: .zero
      }
    }
  }

  /// Returns the lifetime of a response. The lifetime begins when the origin creates the response.
  ///
  /// The origin states it with `s-maxage` (only for a shared cache), `max-age`, or `Expires` minus
  /// `Date`. The first of these that is present counts (RFC 9111, section 4.2.1). Invalid and
  /// conflicting lifetimes count as zero. When the response states none, the lifetime is heuristic
  /// (RFC 9111, section 4.2.2), or zero.
  ///
  /// - Complexity: O(n) in the size of the header.
  public func lifetime(of response: NetworkResponse) -> Duration { source(of: response).duration }

  func source(of response: NetworkResponse) -> Lifetime {
    Freshness(of: response, for: self).lifetime
  }

  /// Returns the lifetime of a response whose directives and ``NetworkResponse/date`` have already
  /// been read.
  func lifetime(
    of response: NetworkResponse, _ control: CacheControl, isTargeted: Bool, date: Duration
  ) -> Lifetime {
    for name in isShared ? ["s-maxage", "max-age"] : ["max-age"] {
      switch control.delta(name) {
      case .seconds(let seconds): return .explicit(.seconds(seconds))
      case .invalid: return .explicit(.zero)
      case .absent: continue
      }
    }
    if !isTargeted, response.fields.contains("Expires") {
      return .explicit(expiry(of: response).map { $0 - date } ?? .zero)
    }
    return heuristic(response, control, date: date)
  }

  /// Returns the time in the `Expires` field, as a duration since 1970, or `nil` if the field is
  /// invalid (RFC 9111, section 5.3).
  private func expiry(of response: NetworkResponse) -> Duration? {
    response.time(of: "Expires").map { .seconds($0) }
  }

  /// Returns the heuristic lifetime of a response (RFC 9111, section 4.2.2), or none unless the
  /// status or the directive `public` allows one.
  private func heuristic(
    _ response: NetworkResponse, _ control: CacheControl, date: Duration
  ) -> Lifetime {
    guard HTTPStatus.isHeuristicallyCacheable(response.status) || control.contains("public"),
      !isForbiddenByPragma(response.fields, control)
    else { return .none }
    let negative = HTTPStatus.isAbsence(response.status) ? negativeLifetime : .zero
    guard let modified = response.time(of: "Last-Modified") else {
      return negative > .zero ? .heuristic(negative) : .none
    }
    let age = max(.zero, date - .seconds(modified))
    return .heuristic(max(min(age * heuristicFraction, heuristicLimit), negative))
  }

  /// Whether `Pragma` forbids a heuristic lifetime. That's Strata's own rule: RFC 9111, section
  /// 5.4, doesn't define `Pragma` in a response.
  private func isForbiddenByPragma(_ fields: HeaderFields, _ control: CacheControl) -> Bool {
    control.directives.isEmpty && CacheControl(fields, name: "Pragma").contains("no-cache")
  }
}

extension NetworkResponse {
  /// The time at which the origin created the response, as a duration since 1970. When the `Date`
  /// field is absent or invalid, it's the time of arrival (RFC 9110, section 6.6.1).
  var date: Duration { time(of: "Date").map { .seconds($0) } ?? responseTime.sinceEpoch }

  /// Returns the date in a field as seconds since 1970. Returns `nil` if the field is absent or
  /// invalid, or if it occurs several times with different values.
  func time(of name: String) -> Int64? {
    let values = fields.values(of: name)
    guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
    return HTTPDate.seconds(first, now: responseTime.sinceEpoch.components.seconds)
  }
}
