import Foundation

/// The reason why the network level has no value.
///
/// It carries the requested URL with its secrets, and the response as received. Its descriptions
/// contain only scheme, host, port and path.
///
///     do {
///       _ = try await pages.value(for: url)
///     } catch let error as NetworkError where error.isMiss {
///       // The origin has no value for this URL: it returned 404 or 410.
///     }
public struct NetworkError: Error, Sendable {
  /// The kind of failure.
  public enum Reason: Error, Sendable {
    /// A complete response whose status isn't a value: 204, 206, or any status outside 2xx.
    case status(Int)
    /// A body whose length differs from the announced length. Both are in bytes before decoding.
    case incompleteBody(received: Int, announced: Int)
    /// Values of Content-Length that differ, or that aren't numbers, as received.
    case conflictingLengths(String)
    /// A body longer than the level accepts, in bytes after decoding.
    case tooLarge(maximum: Int)
    /// A damaged or truncated encoded body. The text names the fault.
    case undecodableBody(String)
    /// A response that violates HTTP. The text names the fault.
    case malformedResponse(String)
    /// A transfer that wasn't complete when its deadline passed.
    case deadlinePassed(Duration)
    /// More redirects than the level follows.
    case tooManyRedirects(maximum: Int)
    /// A URL, or the target of a redirect, that isn't an `http` or `https` URL with a valid host.
    case refusedURL(scheme: String?)
    /// A request that can't be sent. The text names the fault.
    case refusedRequest(String)
    /// A transfer that its caller cancelled.
    case cancelled
    /// A failure below HTTP: the host, the connection, or the framing of the response.
    case transport(any Error)
  }

  /// The requested URL. If the reason is a status after redirects, the URL of the last redirect.
  public let url: URL?
  /// The response, without its body unless it is complete. `nil` if no header arrived.
  public let response: HTTPResponse?
  /// The kind of failure.
  public let reason: Reason

  /// The HTTP status, or `nil` if no header arrived.
  public var status: Int? { response?.status }

  /// Whether the origin has no value for the URL: the status is 404 or 410, without any other
  /// failure.
  public var isMiss: Bool {
    guard case .status(let status) = reason else { return false }
    return status == 404 || status == 410
  }

  /// Makes an error, for example in a ``ResponseRule``.
  public init(_ reason: Reason, url: URL?, response: HTTPResponse? = nil) {
    self.reason = reason
    self.url = url
    self.response = response
  }
}

extension NetworkError: MissError {}
