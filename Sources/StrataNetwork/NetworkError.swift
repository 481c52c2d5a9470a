import Foundation

/// An error from the network level.
///
/// This error contains the received response, and the full URL with any secrets in it. But its
/// descriptions show only the scheme, the host, the port, and the path of the URL.
///
///     do {
///       _ = try await pages.value(for: url)
///     } catch let error as NetworkError where error.isMiss {
///       // The origin has no value for this URL: it returned 404 or 410.
///     }
public struct NetworkError: Error, Sendable {
  /// The kind of failure.
  public enum Reason: Error, Sendable {
    /// A complete response whose status doesn't allow a value: 204, 206, or any status outside 2xx.
    case status(Int)
    /// A body whose length differs from the announced length. Both lengths count the bytes before
    /// decoding.
    case incompleteBody(received: Int, announced: Int)
    /// A response whose `Content-Length` values differ or aren't numbers.
    case conflictingLengths(String)
    /// A decoded body that is longer than the maximum number of bytes.
    case tooLarge(maximum: Int)
    /// A damaged or truncated encoded body. The associated text describes the fault.
    case undecodableBody(String)
    /// A response that violates HTTP. The associated text describes the fault.
    case malformedResponse(String)
    /// A transfer that was incomplete when its deadline passed.
    case deadlinePassed(Duration)
    /// More redirects than the level's maximum allows.
    case tooManyRedirects(maximum: Int)
    /// A requested URL or redirect target that isn't an `http` or `https` URL with a valid host and
    /// port. The associated text describes the fault.
    case refusedURL(String)
    /// A request that can't be sent. The associated text describes the fault.
    case refusedRequest(String)
    /// A transfer that its caller cancelled.
    case cancelled
    /// A failure of the host lookup, the connection, or the framing of the response.
    case transport(any Error)
  }

  /// The requested URL, or if a ``ResponseRule`` has rejected the response, the URL of that
  /// response.
  public let url: URL?
  /// The response, or `nil` if no header has arrived. The body of an incomplete response is empty.
  public let response: NetworkResponse?
  /// The kind of failure.
  public let reason: Reason

  /// The requests that followed redirects before the failure, in order.
  package var hops: [NetworkResponse.Hop] = []

  /// The HTTP status, or `nil` if no header has arrived.
  public var status: Int? { response?.status }

  /// Whether the origin has no value for the URL, because the status is 404 or 410.
  public var isMiss: Bool {
    guard case .status(let status) = reason else { return false }
    return status == 404 || status == 410
  }

  /// Creates an error, for example to throw it from the function of a ``ResponseRule``.
  public init(_ reason: Reason, url: URL?, response: NetworkResponse? = nil) {
    self.reason = reason
    self.url = url
    self.response = response
  }
}

extension NetworkError: MissError {}
