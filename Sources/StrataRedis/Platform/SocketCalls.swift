import Foundation

/// The socket calls and constants that differ between platforms.
package enum SocketCalls {
  /// The type of a socket that carries a stream.
  package static var stream: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// The flags of a send that doesn't raise SIGPIPE. Apple's platforms have an option instead.
  package static var sendFlags: Int32 {
    #if canImport(Darwin)
      0
    #else
      Int32(MSG_NOSIGNAL)
    #endif
  }

  /// Disables SIGPIPE where that is an option of the socket.
  package static func disableSignals(of socket: Int32) {
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }
}
