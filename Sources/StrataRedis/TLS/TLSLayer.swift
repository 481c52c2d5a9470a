/// The encryption of one connection. Only the connection's thread uses it.
protocol TLSLayer: AnyObject {
  /// Continues the handshake. Returns whether the handshake is complete.
  func shakeHands() throws(RedisError) -> Bool

  /// Reads decrypted bytes until the buffer is full or no more bytes have arrived.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> RedisSocket.Progress

  /// Encrypts and sends bytes until the socket accepts no more. In its next call, the caller must
  /// begin with the bytes that weren't sent. They may be in a buffer at another address by then.
  func write(_ bytes: UnsafeRawBufferPointer) -> RedisSocket.Progress

  /// Whether a read could return bytes although the socket has none to read.
  var hasInput: Bool { get }

  /// Whether a read or the handshake waits until the socket accepts bytes.
  var readNeedsOutput: Bool { get }

  /// Whether a write waits until the socket has bytes to read.
  var writeNeedsInput: Bool { get }

  /// Informs the server that the connection ends. Returns a ticket with which the next connection
  /// can resume the session, or `nil` if there is none. After this call, the layer must not be
  /// used.
  func end() -> (any TLSTicket)?
}

/// The data with which a later connection to the same server, with the same context, resumes a
/// session.
protocol TLSTicket: AnyObject {}
