import Foundation

/// A socket of the system, as far as the origin needs one.
///
/// Its owner closes it, once. Calls that a signal interrupts are made again.
struct Socket: Sendable {
  let descriptor: Int32

  /// A socket that listens on 127.0.0.1, at a port that the system chooses.
  static func listening() throws -> (socket: Socket, port: UInt16) {
    let listener = try stream()
    do {
      return (listener, try listener.listen())
    } catch {
      listener.close()
      throw error
    }
  }

  private static func stream() throws -> Socket {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw SystemError("no socket can be opened for the origin") }
    return Socket(descriptor: descriptor)
  }

  private func listen() throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try address.pass(to: "no port of 127.0.0.1 is free for the origin") {
      bind(descriptor, $0, $1.pointee)
    }
    guard listenDescriptor(descriptor, 1024) == 0 else {
      throw SystemError("the origin cannot listen")
    }
    try address.pass(to: "the origin cannot learn its port") { getsockname(descriptor, $0, $1) }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The next connection; `nil` when `end` has become readable or the socket is broken.
  func accepted(until end: Int32) -> Socket? {
    while true {
      var waiting = [descriptor, end].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if poll(&waiting, 2, -1) < 0, errno != EINTR { return nil }
      if waiting[1].revents != 0 { return nil }
      guard waiting[0].revents != 0 else { continue }
      let connection = accept(descriptor, nil, nil)
      if connection >= 0 { return Socket(descriptor: connection) }
      if [EBADF, EINVAL, ENOTSOCK].contains(errno) { return nil }
      usleep(1000)  // The peer has gone, or descriptors are short for a while.
    }
  }

  /// Gives up on a peer that says nothing or takes nothing for this long, and never raises SIGPIPE.
  func limit(seconds: Int) {
    var time = timeval(tv_sec: .init(seconds), tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// The bytes up to the first empty line; `nil` if the peer sends none in time, or over 16 KiB.
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

  /// Sends all of it, unless the peer goes away.
  func send(_ bytes: [UInt8]) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { sendBytes(descriptor, $0.baseAddress, $0.count, flags) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Tells the peer that all is said, and lets go.
  func close() {
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    _ = closeDescriptor(descriptor)
  }
}

// Inside the type its own methods hide these.
private let sendBytes = send(_:_:_:_:)
private let listenDescriptor = listen(_:_:)
private let closeDescriptor = close(_:)

extension sockaddr_in {
  /// Hands the address to a call of the system that takes a general one.
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
