import Foundation

extension LoopbackConnection {
  /// Opens a socket that listens only on 127.0.0.1, on a free port.
  static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = openSocket()
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout.size(ofValue: address))
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int32 in
        guard bind(descriptor, pointer, size) == 0 else { return -1 }
        guard listenForPeers(descriptor, 128) == 0 else { return -1 }
        return getsockname(descriptor, pointer, &size)
      }
    }
    guard status == 0 else {
      let code = errno
      close(descriptor)
      throw POSIXError(.init(rawValue: code) ?? .EIO)
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// Waits until a peer connects, and returns the connection's descriptor. Returns a negative
  /// number if the listener has been shut down.
  static func accept(on listener: Int32) -> Int32 {
    let descriptor = acceptPeer(listener, nil, nil)
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    // Sets the close-on-exec flag, because processes that other tests start must not inherit the
    // descriptor.
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
  }

  /// Connects once to wake the accepting thread. On some systems, shutting down the listener
  /// doesn't wake the thread.
  static func wake(port: UInt16) {
    let descriptor = openSocket()
    guard descriptor >= 0 else { return }
    var address = loopback(port: port)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    close(descriptor)
  }

  private static func openSocket() -> Int32 {
    #if canImport(Glibc)
      return socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      return socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }
}

// These constants refer to functions of the C library. Inside the type, methods named `accept` and
// `listen` hide those functions.
private let acceptPeer = accept(_:_:_:)
private let listenForPeers = listen(_:_:)
