/// A type that sends requests, with libcurl or with `URLSession`.
///
/// A transport follows no redirects, and stores no cookies, credentials or responses.
protocol HTTPTransport: AnyObject, Sendable {
  /// Whether bodies arrive decoded, in which case their checksums can't be verified here.
  var decodesBodies: Bool { get }

  /// Starts an exchange.
  ///
  /// - Returns: A closure that cancels the exchange. It can be called at any time. The receiver may
  ///   still be called after it.
  func send(_ request: OutgoingRequest, to receiver: any ResponseReceiver) -> @Sendable () -> Void
}

/// Receives one response.
///
/// The transport makes the calls one after another, on a thread on which no user code may run.
protocol ResponseReceiver: AnyObject, Sendable {
  /// Receives the header of the final response, and returns whether the body should follow.
  func receive(_ head: ResponseHead) -> Bool

  /// Receives the next bytes of the body, and returns whether more should follow.
  func receive(_ piece: UnsafeRawBufferPointer) -> Bool

  /// Receives the end, once. Without an error, the response is complete.
  func finish(_ error: (any Error)?)
}

/// The status and header fields of a response, and the interim responses before it.
struct ResponseHead: Sendable, Equatable {
  var status: Int
  var fields: HTTPFields
  var interim: [HTTPResponse.Interim] = []
}
