/// The reason why the proxy refuses a request or ends a connection.
enum ProxyFault: Error, Equatable {
  /// The request violates the HTTP specification. The text describes the fault.
  case malformed(String)
  /// The head of the request exceeds the proxy's limit.
  case headTooLarge
  /// The body of the request exceeds the proxy's limit.
  case bodyTooLarge
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
