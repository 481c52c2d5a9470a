import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension NetworkError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError {
  /// What happened and what to do about it, without user info, query and fragment of the URL.
  public var description: String { "\(place): \(reason.sentence)" }

  /// The same as `description`: a dump of the properties would show the URL's secrets.
  public var debugDescription: String { description }

  /// The same as `description`.
  public var errorDescription: String? { description }

  private var place: String {
    guard let url, let scheme = url.scheme else { return "a request without a usable URL" }
    let port = url.port.map { ":\($0)" } ?? ""
    return "\(scheme)://\(url.host ?? "")\(port)\(url.path)"
  }
}

extension NetworkError: CustomReflectable {
  /// The description alone, for the same reason.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension NetworkError.Reason {
  fileprivate var sentence: String {
    switch self {
    case .status(let status):
      return Self.sentence(forStatus: status)
    case .incompleteBody(let received, let announced):
      return "the origin announced \(announced) bytes and the body has \(received); try again, "
        + "and if it stays so, repair the origin"
    case .conflictingLengths(let lengths):
      return "the Content-Length is \"\(lengths.prefix(80))\", so the end of the body is not "
        + "certain; repair the origin or the proxy before it"
    case .tooLarge(let maximum):
      return "the body is longer than \(maximum) bytes; raise maximumSize if it should be"
    case .deadlinePassed(let deadline):
      return "the transfer was not complete after \(deadline); raise deadline if it may last longer"
    case .tooManyRedirects(let maximum):
      return "the origin redirected more than \(maximum) times; ask for the final URL"
    case .refusedURL(let scheme):
      return "the scheme is \(scheme ?? "missing"); only http and https URLs with a host are asked "
        + "or followed"
    case .notHTTP:
      return "the response is not HTTP; ask for an http or https URL"
    case .cancelled:
      return "the transfer was cancelled by the one who asked"
    case .transport(let error):
      return "the connection failed: \(Self.name(of: error)); check the host and the network, "
        + "then try again"
    }
  }

  private static func sentence(forStatus status: Int) -> String {
    switch status {
    case 404, 410: return "the origin has nothing here (status \(status)); this is a miss"
    case 401, 403: return "the origin refused (status \(status)); send what it asks to be let in"
    case 204, 206:
      return "status \(status) has no complete body to keep; ask for the whole resource"
    case 304: return "status 304 without a stored answer; send no conditional headers"
    case 500...: return "the origin failed (status \(status)); try again later"
    default: return "status \(status) is not an answer to keep; check the URL and the request"
    }
  }

  /// The code and the text: the full description of a `URLError` would print the failing URL.
  private static func name(of error: any Error) -> String {
    guard let error = error as? URLError else { return "\(type(of: error))" }
    return "\(error.localizedDescription) (\(error.errorCode))"
  }
}
