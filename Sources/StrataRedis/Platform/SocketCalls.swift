import Foundation

/// The socket calls and constants that differ between platforms.
package enum SocketCalls {
  /// The type of a stream socket.
  package static var stream: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// The flags that keep `send` from raising SIGPIPE. On Apple's platforms, the value is 0, because
  /// `disableSignals(of:)` prevents SIGPIPE with a socket option.
  package static var sendFlags: Int32 {
    #if canImport(Darwin)
      0
    #else
      Int32(MSG_NOSIGNAL)
    #endif
  }

  /// Disables SIGPIPE on platforms that have a socket option for it.
  package static func disableSignals(of socket: Int32) {
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }
}
