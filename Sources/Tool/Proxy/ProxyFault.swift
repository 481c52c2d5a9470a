/// A request that the proxy refuses, or a connection that it ends.
enum ProxyFault: Error, Equatable {
  /// The request violates HTTP. The text describes the fault.
  case malformed(String)
  /// The head is longer than the proxy accepts.
  case headTooLarge
  /// The body is longer than the proxy accepts.
  case bodyTooLarge
  /// The request has a transfer coding other than chunked.
  case unknownCoding
  /// The method makes no sense for a proxy with one origin.
  case refusedMethod
  /// The client closed the connection, or took too long.
  case closed

  /// The status of the response, or `nil` if the connection is closed without a response.
  var status: Int? {
    switch self {
    case .malformed: 400
    case .headTooLarge: 431
    case .bodyTooLarge: 413
    case .unknownCoding: 501
    case .refusedMethod: 405
    case .closed: nil
    }
  }

  var explanation: String {
    switch self {
    case .malformed(let fault): "The request isn't valid: \(fault)."
    case .headTooLarge: "The header of the request is too large."
    case .bodyTooLarge: "The body of the request is too large."
    case .unknownCoding: "The transfer coding of the request is unknown."
    case .refusedMethod: "The proxy doesn't support tunnels."
    case .closed: "The connection is closed."
    }
  }
}
