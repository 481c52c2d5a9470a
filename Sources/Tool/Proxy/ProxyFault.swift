/// The reason why the proxy refuses a request or ends a connection.
enum ProxyFault: Error, Equatable {
  /// The request violates the HTTP specification. Its associated text describes the fault.
  case malformed(String)
  /// The head of the request exceeds the proxy's limit.
  case headTooLarge
  /// The body of the request exceeds the proxy's limit in bytes.
  case bodyTooLarge(maximum: Int)
  /// The temporary directory has no room for the body of the request.
  case noRoom(String)
  /// The client used a host name that might belong to a web page.
  case refusedHost(String)
  /// A web page of another host sent the request.
  case refusedPage(String)
  /// The proxy doesn't support the transfer coding of the request.
  case unknownCoding
  /// The method is CONNECT, which the proxy doesn't support.
  case refusedMethod
  /// The client closed the connection, or took too long.
  case closed

  /// The status of the response, or `nil` if the connection is closed without a response.
  var status: Int? {
    switch self {
    case .malformed: 400
    case .headTooLarge: 431
    case .bodyTooLarge: 413
    case .noRoom: 507
    case .refusedHost, .refusedPage: 403
    case .unknownCoding: 501
    case .refusedMethod: 405
    case .closed: nil
    }
  }

  var explanation: String {
    switch self {
    case .malformed(let fault): "The request isn't valid: \(fault)."
    case .headTooLarge:
      "The header of the request has more than \(ProxyReader.Limits().head) bytes."
    case .bodyTooLarge(let maximum):
      "The body of the request has more than \(maximum) bytes. "
        + "Start the proxy with a larger number in --upload."
    case .noRoom(let folder):
      "The directory \(folder) has no room for the body of the request. "
        + "Free space, or start the proxy with another directory in TMPDIR."
    case .refusedHost(let host):
      "The proxy answers only to names of this machine, such as localhost, because a web page "
        + "could use the name '\(host)' to read the cache. To allow it: --host \(host)"
    case .refusedPage(let page):
      "A web page of \(page) sent this request, and the proxy answers only pages of this machine. "
        + "To allow it, pass the page's host name in --host."
    case .unknownCoding: "The proxy doesn't support this transfer coding. It reads only 'chunked'."
    case .refusedMethod:
      "The proxy doesn't support tunnels (CONNECT). Send it the requests for the origin instead."
    case .closed: "The connection is closed."
    }
  }
}
