/// The encryption of one connection. Only the connection's thread uses it.
protocol TLSLayer: AnyObject {
  /// Continues the handshake. Returns whether the handshake is complete.
  func shakeHands() throws(RedisError) -> Bool

  /// Reads decrypted bytes until the buffer is full or no more bytes have arrived.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> RedisSocket.Progress

  /// Encrypts and sends bytes until the socket accepts no more. Bytes that weren't sent must begin
  /// the next call, at any address.
  func write(_ bytes: UnsafeRawBufferPointer) -> RedisSocket.Progress

  /// Whether a read could return something although the socket has nothing to read.
  var hasInput: Bool { get }

  /// Whether a read or the handshake waits until the socket accepts bytes.
  var readNeedsOutput: Bool { get }

  /// Whether a write waits until the socket has bytes to read.
  var writeNeedsInput: Bool { get }

  /// Tells the server that the connection ends. Returns a ticket with which the next connection can
  /// resume the session, or `nil` if there is none. Nothing else may be called afterwards.
  func end() -> (any TLSTicket)?
}

/// What a later connection needs to resume a session. A new connection must have the same server
/// and the same context.
protocol TLSTicket: AnyObject {}
