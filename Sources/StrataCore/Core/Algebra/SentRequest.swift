import Foundation

/// A request exactly as an origin sends it, with all fields that the origin adds.
///
/// A field that only the origin knows can decide which users may get a response, and whether it may
/// be stored. So caches above the origin compare and judge this form of the request.
package struct SentRequest: Sendable {
  /// The request with all its fields.
  package var request: URLRequest
  /// The names of the fields that identify the user, in addition to `Authorization`, `Cookie`, and
  /// `Proxy-Authorization`.
  package var identifying: [String]

  /// Creates a sent request. By default, no further fields identify the user.
  package init(_ request: URLRequest, identifying: [String] = []) {
    (self.request, self.identifying) = (request, identifying)
  }
}
