import Foundation

/// The settings of a `URLRequest` other than its URL, method, fields, and body.
///
/// Each setting either has an effect or is refused: a cache policy becomes directives, and a
/// timeout becomes a deadline. See also `URLLoading.unsupportedSetting`.
package enum RequestSettings {
  /// Returns the directives of `Cache-Control` that mean the same as a cache policy.
  static func directives(_ policy: URLRequest.CachePolicy) -> [String] {
    switch policy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: ["no-cache"]
    case .reloadRevalidatingCacheData: ["max-age=0"]
    case .returnCacheDataElseLoad: ["max-stale"]
    case .returnCacheDataDontLoad: ["only-if-cached", "max-stale"]
    default: []
    }
  }

  /// Returns the deadline that a timeout sets for a transfer, or `nil` if the timeout is the
  /// default of Foundation, zero, or infinite.
  ///
  /// - Throws: `refusedRequest` if the timeout isn't a duration.
  package static func deadline(
    _ timeout: TimeInterval, default standard: TimeInterval = 60
  ) throws(NetworkError.Reason) -> Duration? {
    guard timeout >= 0 else { throw .refusedRequest("its timeoutInterval isn't a duration") }
    guard timeout != standard, timeout > 0, timeout < 1e9 else { return nil }
    return .seconds(timeout)
  }

  /// Throws an error if a setting of the request forbids the transfer: a policy that forbids
  /// loading, or a network that the request must not use.
  static func check(_ request: URLRequest) throws(NetworkError.Reason) {
    guard request.cachePolicy != .returnCacheDataDontLoad else {
      throw .refusedRequest(
        "its cache policy forbids loading, and no level above the network has a value for it")
    }
    if let fault = URLLoading.unsupportedSetting(of: request) { throw .refusedRequest(fault) }
  }
}

extension HeaderFields {
  /// Creates the header that a request sends. Its cache policy adds directives to `Cache-Control`,
  /// unless the field has them already.
  package init(of request: URLRequest) {
    self.init(request.allHTTPHeaderFields ?? [:])
    add(RequestSettings.directives(request.cachePolicy))
  }

  /// Adds directives to `Cache-Control`, unless the field has them already.
  mutating func add(_ directives: [String]) {
    guard !directives.isEmpty else { return }
    let known = elements(of: "Cache-Control")
    let new = directives.filter { directive in
      !known.contains { HTTPSyntax.equal($0, directive) }
    }
    if !new.isEmpty { self["Cache-Control"] = (known + new).joined(separator: ", ") }
  }
}
