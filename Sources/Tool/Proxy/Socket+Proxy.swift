import Foundation

extension Socket {
  /// Returns the bytes that have arrived, or waits for the next ones. Empty at the end of the
  /// connection.
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

  /// Sends small responses without waiting for the acknowledgment of earlier ones.
  func sendImmediately() {
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }
}
