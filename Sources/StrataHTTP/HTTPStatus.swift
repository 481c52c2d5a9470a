import StrataNetwork

/// Properties of status codes and methods, as RFC 9110 defines them.
enum HTTPStatus {
  /// Whether a response with this status can be fresh without a stated lifetime (RFC 9110, section
  /// 15.1).
  static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }

  /// Whether this cache implements the requirements of a status. It implements all final statuses of
  /// RFC 9110 except 304, which never answers a request of a client.
  static func isUnderstood(_ status: Int) -> Bool {
    switch status {
    case 200...206, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 500...505: true
    default: false
    }
  }

  /// Whether a status concerns only the request that received it: its range, its conditions, its
  /// credentials, or its rate. Such a response can't answer other requests.
  ///
  /// A cache must not store 428, 429, 431, and 511 (RFC 6585). Responses with the other statuses
  /// depend on a field of the request that their `Vary` doesn't list. So if they were stored, a
  /// later request without this field would receive them.
  static func concernsRequest(_ status: Int) -> Bool {
    [304, 401, 407, 408, 412, 413, 415, 416, 417, 421, 425, 428, 429, 431, 511].contains(status)
  }

  /// Whether a new response with this status proves that a stored, successful response is outdated.
  ///
  /// Errors such as 403 and 503, and redirects to a login page, may be temporary. So the stored
  /// response remains, for validations and for clients that are offline.
  static func replacesSuccess(_ status: Int) -> Bool {
    (200...301).contains(status) || status == 308 || isAbsence(status)
  }

  /// Whether a status means that the resource doesn't exist.
  static func isAbsence(_ status: Int) -> Bool { status == 404 || status == 410 }

  /// Whether `stale-if-error` applies to a status (RFC 5861, section 4).
  static func isError(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }

  /// Whether all waiting requests share a response with this status. Otherwise, an origin that
  /// fails or limits the rate of its clients would receive all these requests at once.
  static func isFailureForAll(_ status: Int) -> Bool { status >= 500 || status == 429 }

  /// Whether a status means that an unsafe method has succeeded (RFC 9111, section 4.4).
  static func isSuccess(_ status: Int) -> Bool { (200..<400).contains(status) }

  /// Whether a method is safe: it doesn't change data on the origin. Unknown methods aren't safe.
  static func isSafe(_ method: String) -> Bool {
    ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method)
  }
}
