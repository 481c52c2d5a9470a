import Foundation

/// A request exactly as an origin sends it, with all fields that the origin adds.
///
/// A field that only the origin knows can decide which users may get a response, and whether it may
/// be stored. So caches above the origin compare and judge this form of the request.
package struct SentRequest: Sendable {
  /// The request with all its fields. It's created for each use, because most callers don't need it.
  package var request: URLRequest {
    get { make() }
    set { make = { newValue } }
  }
  private var make: @Sendable () -> URLRequest
  /// The names of the fields that identify the user, in addition to `Authorization`, `Cookie`, and
  /// `Proxy-Authorization`.
  package var identifying: [String]

  /// Creates a sent request. By default, no further fields identify the user.
  package init(
    _ request: @autoclosure @escaping @Sendable () -> URLRequest, identifying: [String] = []
  ) {
    (make, self.identifying) = (request, identifying)
  }
}
