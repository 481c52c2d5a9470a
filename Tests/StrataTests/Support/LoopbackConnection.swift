import Foundation

/// One connection to a `LoopbackOrigin`.
struct LoopbackConnection: Sendable {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Sends bytes, and returns whether all bytes were sent.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = write(buffer[sent...])
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Waits until the peer closes the connection or the origin stops. Returns whether the wait ended
  /// in time.
  ///
  /// - Parameter seconds: The time limit. Some tests pass a short limit, and use this function as a
  ///   delay before they send the next byte.
  @discardableResult
  func waitUntilClosed(upTo seconds: Double = 30) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Int32(seconds * 1000)) > 0 else { return false }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, 0) <= 0
  }

  func send(_ reply: LoopbackOrigin.Reply) {
    switch reply {
    case .respond(let status, let headers, let body):
      let fields = ["Content-Length": "\(body.utf8.count)", "Connection": "close"]
        .merging(headers) { _, given in given }
      let lines = fields.map { "\($0): \($1)\r\n" }.joined()
      send("HTTP/1.1 \(status) Status\r\n\(lines)\r\n\(body)")
    case .raw(let bytes):
      send(bytes)
    case .stream(let write):
      write(self)
    case .reset(let bytes):
      send(bytes)
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }
  }

  /// Reads a header of at most 64 KB. Returns `nil` if the peer sends no header.
  func readRequest() -> LoopbackOrigin.Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    let end = Array("\r\n\r\n".utf8)
    while bytes.suffix(4) != end[...], bytes.count < 65536 {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
    let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers[line[..<colon].lowercased()] = value
    }
    return LoopbackOrigin.Request(
      method: String(words[0]), path: String(words[1]), headers: headers, bytes: bytes)
  }

  /// Sends bytes. Writing to a closed connection must not end the process with SIGPIPE.
  private func write(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    let buffer = UnsafeRawBufferPointer(rebasing: bytes)
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return sendBytes(descriptor, buffer.baseAddress, buffer.count, flags)
  }
}

// The C function `send`. `LoopbackConnection` calls the function through this constant, because the
// type has methods of the same name.
private let sendBytes = send(_:_:_:_:)
