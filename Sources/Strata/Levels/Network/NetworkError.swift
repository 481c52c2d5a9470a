import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Says why the network level has no answer.
///
/// It holds the URL as asked, with whatever secrets are in it, and the response as received; its
/// descriptions name scheme, host, port and path alone.
///
///     do {
///       _ = try await pages.value(for: url)
///     } catch let error as NetworkError where error.isMiss {
///       // the origin said 404 or 410: it has nothing under this URL
///     }
public struct NetworkError: Error, Sendable {
  /// What went wrong.
  public enum Reason: Sendable {
    /// The origin answered, with a status other than 2xx, or with 204 or 206, which carry no
    /// complete body.
    case status(Int)
    /// The body ended before its announced length, or is not of that length.
    case incompleteBody(received: Int, announced: Int)
    /// The Content-Length headers differ from one another, or are not numbers; as received.
    case conflictingLengths(String)
    /// The body is longer than the level accepts, in bytes.
    case tooLarge(maximum: Int)
    /// The whole transfer took longer than the level's deadline.
    case deadlinePassed(Duration)
    /// The origin redirected more often than the level follows.
    case tooManyRedirects(maximum: Int)
    /// The URL, or the one redirected to, is not an `http` or `https` URL with a host.
    case refusedURL(scheme: String?)
    /// The response is not an HTTP response.
    case notHTTP
    /// Whoever started the transfer cancelled it.
    case cancelled
    /// The connection failed below HTTP, or the answer could not be parsed.
    case transport(any Error)
  }

  /// The URL at fault: the one asked for, or for a refused redirect the one redirected to.
  public let url: URL?
  /// The response, if its header arrived.
  public let response: HTTPURLResponse?
  /// What went wrong.
  public let reason: Reason

  /// The HTTP status, if a header arrived.
  public var status: Int? { response?.statusCode }

  /// Whether the origin said that it has nothing here: status 404 or 410, and no other failure.
  public var isMiss: Bool {
    guard case .status(let status) = reason else { return false }
    return status == 404 || status == 410
  }

  init(_ reason: Reason, url: URL?, response: HTTPURLResponse? = nil) {
    self.reason = reason
    self.url = url
    self.response = response
  }
}
