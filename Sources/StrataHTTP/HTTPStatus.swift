import Strata

/// Properties of status codes and methods, as RFC 9110 defines them.
enum HTTPStatus {
  /// Whether a response with this status can be fresh without a stated lifetime (RFC 9110, section
  /// 15.1).
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }

  /// Whether this cache implements the requirements of a status. The cache implements the statuses
  /// that RFC 9110 defines.
  static func isUnderstood(_ status: Int) -> Bool {
    switch status {
    case 200...206, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 500...505: true
    default: false
    }
  }

  /// Whether a status means that the resource doesn't exist.
  static func isAbsence(_ status: Int) -> Bool { status == 404 || status == 410 }

  /// Whether `stale-if-error` applies to a status (RFC 5861, section 4).
  static func isError(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }

  /// Whether a status means that an unsafe method has succeeded (RFC 9111, section 4.4).
  static func isSuccess(_ status: Int) -> Bool { (200..<400).contains(status) }

  /// Whether a method is safe, which means that it doesn't change data on the origin. An unknown
  /// method isn't safe.
  static func isSafe(_ method: String) -> Bool {
    ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method)
  }
}
