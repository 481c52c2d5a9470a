import Foundation

extension Socket {
  /// Waits until bytes have arrived, and returns them. Returns none at the end of the connection.
  func receive() -> [UInt8] {
    var count = 0
    let buffer = [UInt8](unsafeUninitializedCapacity: 16 << 10) { bytes, size in
      repeat {
        count = recv(descriptor, bytes.baseAddress, bytes.count, 0)
      } while count < 0 && errno == EINTR
      size = max(0, count)
    }
    return buffer
  }

  /// Whether the peer has closed the connection, as far as this is known without waiting.
  var hasEnded: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR
  }

  /// Makes the socket send small responses immediately, even if earlier responses haven't been
  /// acknowledged.
  func sendImmediately() {
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }
}
