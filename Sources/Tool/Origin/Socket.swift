import Foundation
import StrataRedis

/// A TCP socket.
///
/// Its owner must close the socket exactly once. Interrupted system calls are repeated.
struct Socket: Sendable {
  let descriptor: Int32

  /// Returns a socket that listens on 127.0.0.1.
  ///
  /// - Parameter port: The port. Zero, the default, lets the system choose a port.
  static func listening(port: UInt16 = 0) throws -> (socket: Socket, port: UInt16) {
    let listener = try stream()
    do {
      return (listener, try listener.listen(at: port))
    } catch {
      listener.close()
      throw error
    }
  }

  private static func stream() throws -> Socket {
    let descriptor = socket(AF_INET, SocketCalls.stream, 0)
    guard descriptor >= 0 else { throw SystemError("no socket can be opened for the origin") }
    return Socket(descriptor: descriptor)
  }

  private func listen(at port: UInt16) throws -> UInt16 {
    // Allows the socket to use a port that another process has just released.
    var on: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try address.pass(
      to: port == 0 ? "no port of 127.0.0.1 is free" : "port \(port) of 127.0.0.1 can't be used"
    ) {
      bind(descriptor, $0, $1.pointee)
    }
    guard listenDescriptor(descriptor, 1024) == 0 else {
      throw SystemError("the origin cannot listen")
    }
    try address.pass(to: "the origin cannot read its port") { getsockname(descriptor, $0, $1) }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Waits for the next connection and returns it. Returns `nil` if the descriptor `end` becomes
  /// readable or the socket fails.
  func accepted(until end: Int32) -> Socket? {
    while true {
      var waiting = [descriptor, end].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if poll(&waiting, 2, -1) < 0, errno != EINTR { return nil }
      if waiting[1].revents != 0 { return nil }
      guard waiting[0].revents != 0 else { continue }
      let connection = accept(descriptor, nil, nil)
      if connection >= 0 { return Socket(descriptor: connection) }
      if [EBADF, EINVAL, ENOTSOCK].contains(errno) { return nil }
      usleep(1000)  // The peer has disconnected, or at present, no file descriptor is free.
    }
  }

  /// Sets the timeout for sending and receiving, and disables SIGPIPE.
  func limit(seconds: Int) {
    var time = timeval(tv_sec: .init(seconds), tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    SocketCalls.disableSignals(of: descriptor)
  }

  /// Returns the bytes before the first empty line, or `nil` if no empty line arrives before the
  /// timeout or within 16 KiB.
  func head() -> ArraySlice<UInt8>? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 16 << 10 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      let searched = max(0, bytes.count - 3)
      bytes += buffer[..<count]
      for end in searched..<max(searched, bytes.count - 3)
      where bytes[end..<end + 4].elementsEqual("\r\n\r\n".utf8) {
        return bytes[..<end]
      }
    }
    return nil
  }

  /// Sends all bytes, and returns `false` if the connection fails.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        sendBytes(descriptor, $0.baseAddress, $0.count, SocketCalls.sendFlags)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Shuts down and closes the socket.
  func close() {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    _ = closeDescriptor(descriptor)
  }
}

// These constants are outside the type, because the type's methods have the same names as the C
// functions.
private let sendBytes = send(_:_:_:_:)
private let listenDescriptor = listen(_:_:)
private let closeDescriptor = close(_:)

extension sockaddr_in {
  /// Passes the address to a system call that takes a generic `sockaddr`.
  fileprivate mutating func pass(
    to purpose: String,
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &self) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &size) }
    }
    guard status == 0 else { throw SystemError(purpose) }
  }
}
