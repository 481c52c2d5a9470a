import Foundation

/// A request in the form in which an origin sends it, with every field that the origin adds.
///
/// Caches above the origin compare and judge this form, because a field that only the origin knows
/// can decide whom a response is for, and whether it may be stored.
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
