import Foundation

/// A socket that never blocks. The owner must close the socket exactly once.
struct RedisSocket {
  let descriptor: Int32
  /// The encryption of the connection, if it has one.
  var layer: (any TLSLayer)?
  /// Returns why the other end of the socket was closed, or `nil` if that's unknown.
  var reason: @Sendable () -> RedisError? = { nil }

  /// The bytes of a `sockaddr`, and the address family of the socket.
  struct Address: Sendable {
    let family: Int32
    let bytes: [UInt8]
  }

  /// Starts connecting to an address. When the socket becomes writable, ``failure`` shows whether
  /// the attempt failed.
  static func connecting(to address: Address) throws(RedisError) -> RedisSocket {
    let descriptor = socket(address.family, SocketCalls.stream, 0)
    guard descriptor >= 0 else { throw .unreachable(Self.text(errno)) }
    let result = RedisSocket(descriptor: descriptor)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    if address.family != AF_UNIX {
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    }
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, size)
    SocketCalls.disableSignals(of: descriptor)
    let status = address.bytes.withUnsafeBytes {
      $0.withMemoryRebound(to: sockaddr.self) {
        connect(descriptor, $0.baseAddress!, socklen_t(address.bytes.count))
      }
    }
    if status != 0, errno != EINPROGRESS, errno != EINTR {
      let reason = Self.text(errno)
      result.close()
      throw .unreachable(reason)
    }
    return result
  }

  /// The address of this end of a TCP connection, as a server writes it, or `nil` for other
  /// sockets.
  var localAddress: String? {
    var (address, size) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
    var (host, port) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 8))
    let isNumeric = NI_NUMERICHOST | NI_NUMERICSERV
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        guard getsockname(descriptor, $0, &size) == 0, $0.pointee.sa_family != AF_UNIX else {
          return EAI_FAMILY
        }
        return getnameinfo($0, size, &host, 64, &port, 8, isNumeric)
      }
    }
    guard status == 0 else { return nil }
    let texts = [host, port].map { text in
      String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return texts[0].contains(":") ? "[\(texts[0])]:\(texts[1])" : texts.joined(separator: ":")
  }

  /// The reason why the connection attempt failed, or `nil` if the attempt succeeded.
  var failure: RedisError? {
    var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code == 0 ? reason() : .unreachable(Self.text(code))
  }

  enum Progress: Equatable {
    case moved(Int)
    case blocked
    case ended(RedisError)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
    if let layer { return layer.read(into: buffer) }
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    if count == 0 { return .ended(reason() ?? .connectionLost(RedisError.closedByServer)) }
    return progress(count)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Progress {
    if let layer { return layer.write(bytes) }
    guard let start = bytes.baseAddress else { return .moved(0) }
    return progress(send(descriptor, start, bytes.count, SocketCalls.sendFlags))
  }

  /// The events to wait for.
  ///
  /// - Parameter isWriting: Whether there are bytes to write.
  func events(isWriting: Bool) -> Int16 {
    let isBlocked = layer?.writeNeedsInput == true
    let needsOutput = isWriting && !isBlocked || layer?.readNeedsOutput == true
    return Int16(POLLIN) | (needsOutput ? Int16(POLLOUT) : 0)
  }

  /// Closes the socket. Returns a TLS ticket for the next connection, or `nil` if there is none.
  @discardableResult
  func close() -> (any TLSTicket)? {
    let ticket = layer?.end()
    _ = closeDescriptor(descriptor)
    return ticket
  }

  private func progress(_ count: Int) -> Progress {
    if count >= 0 { return .moved(count) }
    let code = errno
    if [EAGAIN, EWOULDBLOCK, EINTR].contains(code) { return .blocked }
    return .ended(reason() ?? .connectionLost(Self.text(code)))
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}

private let closeDescriptor = close(_:)

extension RedisSocket.Address {
  /// Returns the addresses of an endpoint. Blocks while the system resolves the host's name.
  static func all(
    of endpoint: RedisAddress.Endpoint, isNumeric: Bool = false
  ) throws(RedisError) -> [Self] {
    switch endpoint {
    case .unix(let path): return [unix(path)]
    case .tcp(let host, let port):
      var hints = addrinfo()
      hints.ai_flags = isNumeric ? AI_NUMERICHOST : 0
      hints.ai_socktype = SocketCalls.stream
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, String(port), &hints, &list) == 0 else {
        throw .unreachable("no address is known for \(host)")
      }
      defer { freeaddrinfo(list) }
      return sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { entry in
        guard let entry = entry?.pointee, let address = entry.ai_addr else { return nil }
        let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
        return Self(family: entry.ai_family, bytes: Array(bytes))
      }
    }
  }

  private static func unix(_ path: String) -> Self {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return Self(family: AF_UNIX, bytes: withUnsafeBytes(of: address) { Array($0) })
  }
}

/// A pipe with which other threads wake a thread that sleeps in `poll`.
final class WakePipe: Sendable {
  let reader: Int32
  private let writer: Int32

  /// Returns `nil` if the process has too many open files.
  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    _ = close(reader)
    _ = close(writer)
  }

  func wake() {
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }

  /// Blocks until another thread has written to the pipe.
  func wait() {
    var polled = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    _ = poll(&polled, 1, -1)
    drain()
  }

  func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    _ = read(reader, &bytes, 16)
  }
}
