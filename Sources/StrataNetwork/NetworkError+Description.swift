import Foundation

extension NetworkError: CustomStringConvertible, CustomDebugStringConvertible, LocalizedError {
  /// A description of the failure, with the URL and a remedy. It omits the URL's user name,
  /// password, query, and fragment.
  public var description: String { "\(location): \(reason.sentence)" }

  /// The same text as `description`, so it doesn't show secrets in the URL either.
  public var debugDescription: String { description }

  /// The same text as `description`.
  public var errorDescription: String? { description }

  private var location: String {
    guard let url, let scheme = URLReference(url).scheme else {
      return "a request without a usable URL"
    }
    var reference = URLReference(url)
    reference.authority = reference.authority ?? URLAuthority([])
    reference.authority?.userInfo = nil
    (reference.query, reference.fragment) = (nil, nil)
    return reference.text.isEmpty ? scheme : reference.text
  }
}

extension NetworkError: CustomReflectable {
  /// A mirror that contains only the description, because a dump of all properties would show
  /// secrets in the URL.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension NetworkError.Reason {
  fileprivate var sentence: String {
    switch self {
    case .status(let status): Self.sentence(forStatus: status)
    case .incompleteBody(let received, let announced):
      "the origin announced \(announced) bytes and sent \(received); "
        + "try again, and repair the origin if the error persists"
    case .conflictingLengths(let lengths):
      "the Content-Length is \"\(lengths.prefix(80))\", so the end of the body isn't certain; "
        + "repair the origin or its proxy"
    case .tooLarge(let maximum):
      "the body is longer than \(maximum) bytes; raise maximumSize to accept it"
    case .undecodableBody(let fault):
      "the encoded body can't be decoded, because \(fault); repair the origin or its proxy"
    case .malformedResponse(let fault):
      "the response isn't valid HTTP, because \(fault); repair the origin or its proxy"
    case .deadlinePassed(let deadline):
      "the transfer wasn't complete after \(deadline); "
        + "raise the deadline of the level or the timeoutInterval of the request"
    case .tooManyRedirects(let maximum):
      "the origin redirected more than \(maximum) times; request the final URL"
    case .refusedURL(let fault):
      "the request or a redirect has an unusable URL, because \(fault); "
        + "use an http or https URL with a valid host"
    case .refusedRequest(let fault): "the request can't be sent, because \(fault); change it"
    case .cancelled: "the caller cancelled the transfer"
    case .transport(let error):
      "the transfer failed: \(Self.name(of: error)); "
        + ((error as? CurlError)?.remedy ?? "check the host and the network")
    }
  }

  private static func sentence(forStatus status: Int) -> String {
    switch status {
    case 404, 410: "the origin has no value for this URL (status \(status)); this is a miss"
    case 401, 403: "the origin refused access (status \(status)); send valid credentials"
    case 204, 206: "a response of status \(status) has no complete body; request the whole resource"
    case 304: "status 304 refers to a stored response; don't send conditional headers"
    case 500...: "the origin failed (status \(status)); try again later"
    default: "a response of status \(status) isn't a value; check the URL and the request"
    }
  }

  /// Returns text that describes an error without its URL. The full description of a `URLError`
  /// would contain the URL.
  private static func name(of error: any Error) -> String {
    switch error {
    case let error as URLError: "\(error.localizedDescription) (\(error.errorCode))"
    case let error as CurlError: error.localizedDescription
    default: "\(type(of: error))"
    }
  }
}
