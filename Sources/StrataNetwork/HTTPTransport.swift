/// A type that sends requests with libcurl or `URLSession`.
///
/// Transports don't follow redirects, and don't store cookies, credentials, or responses.
protocol HTTPTransport: AnyObject, Sendable {
  /// Whether the transport decodes bodies, so the level can't verify their checksums.
  var decodesBodies: Bool { get }

  /// Starts an exchange: a request and its response.
  ///
  /// - Returns: A closure that cancels the exchange, and can be called at any time. The transport
  ///   might still call the receiver after this closure has returned.
  func send(_ request: OutgoingRequest, to receiver: any ResponseReceiver) -> @Sendable () -> Void
}

/// A type that receives one response.
///
/// The transport calls its methods one after another, on a thread that must not run user code.
protocol ResponseReceiver: AnyObject, Sendable {
  /// Receives the header of the final response, and returns whether to continue with the body.
  func receive(_ head: ResponseHead) -> Bool

  /// Receives the next bytes of the body, and returns whether to continue.
  func receive(_ piece: UnsafeRawBufferPointer) -> Bool

  /// Whether the transport must wait before it delivers the next bytes of the body. It waits until
  /// the receiver calls the closure of ``canPause(resuming:)``.
  func isFull() -> Bool

  /// Called before an exchange that the transport can pause.
  ///
  /// - Parameter resume: A closure that continues a paused exchange, on any thread.
  func canPause(resuming resume: @escaping @Sendable () -> Void)

  /// Called once, at the end of the exchange. The response is complete if `error` is `nil`.
  func finish(_ error: (any Error)?)
}

extension ResponseReceiver {
  func isFull() -> Bool { false }
  func canPause(resuming resume: @escaping @Sendable () -> Void) {}
}

/// The status and header fields of a response, and the interim responses that preceded it.
struct ResponseHead: Sendable, Equatable {
  var status: Int
  var fields: HeaderFields
  var interim: [NetworkResponse.Interim] = []
}
