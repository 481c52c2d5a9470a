import Foundation

@testable import Strata

/// An HTTP origin on 127.0.0.1 that keeps its connections, and reads bodies.
///
///     let origin = try KeptOrigin { request in .init(text: "hello from \(request.connection)") }
///     defer { origin.stop() }
final class KeptOrigin: Sendable {
  /// A request as it was read.
  struct Request: Sendable {
    let method: String
    let target: String
    /// By lowercase name.
    let headers: [String: String]
    let body: [UInt8]
    /// The number of the connection and of the request on it, both from zero.
    let connection: Int
    let index: Int
  }

  /// The bytes of a response, and the fate of the connection.
  struct Reply: Sendable {
    var bytes: [UInt8]
    /// Whether the origin closes the connection after the bytes.
    var closes = false

    init(bytes: [UInt8], closes: Bool = false) { (self.bytes, self.closes) = (bytes, closes) }

    init(status: Int = 200, fields: String = "", text: String = "", closes: Bool = false) {
      let header =
        "HTTP/1.1 \(status) Status\r\nContent-Length: \(text.utf8.count)\r\n\(fields)\r\n"
      self.init(bytes: Array("\(header)\(text)".utf8), closes: closes)
    }
  }

  private struct State {
    var requests: [Request] = []
    var count = 0
    var connections: Set<Int32> = []
    var accepted = 0
    var isStopped = false
  }

  let port: UInt16
  private let listener: Int32
  private let records: Bool
  private let reply: @Sendable (Request) -> Reply
  private let state = Lock(State())
  private let threads = DispatchGroup()

  /// - Parameter records: Whether ``requests`` is filled.
  init(records: Bool = true, _ reply: @escaping @Sendable (Request) -> Reply) throws {
    (listener, port) = try LoopbackConnection.listen()
    (self.records, self.reply) = (records, reply)
    threads.enter()
    Thread.detachNewThread { [self] in
      accept()
      threads.leave()
    }
  }

  func url(_ path: String = "/") -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// The requests so far, in the order of their arrival.
  var requests: [Request] { state.withLock { $0.requests } }

  /// The number of requests so far.
  var count: Int { state.withLock { $0.count } }

  /// The number of connections so far.
  var acceptedConnections: Int { state.withLock { $0.accepted } }

  /// The number of open connections.
  var openConnections: Int { state.withLock { $0.connections.count } }

  /// Ends every connection without a response, and goes on accepting.
  func closeConnections() {
    state.withLock { state in
      for connection in state.connections { _ = shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  /// Ends every connection and waits for all threads.
  func stop() {
    let wasRunning = state.withLock { state in
      defer { state.isStopped = true }
      for connection in state.connections { _ = shutdown(connection, Int32(SHUT_RDWR)) }
      return !state.isStopped
    }
    guard wasRunning else { return }
    _ = shutdown(listener, Int32(SHUT_RDWR))
    LoopbackConnection.wake(port: port)
    threads.wait()
    close(listener)
  }

  private func accept() {
    while true {
      let descriptor = LoopbackConnection.accept(on: listener)
      let number = state.withLock { state -> Int? in
        guard !state.isStopped, descriptor >= 0 else { return nil }
        state.connections.insert(descriptor)
        state.accepted += 1
        return state.accepted - 1
      }
      if let number {
        serve(descriptor, number)
      } else {
        if descriptor >= 0 { close(descriptor) }
        if state.withLock({ $0.isStopped }) { return }
      }
    }
  }

  private func serve(_ descriptor: Int32, _ number: Int) {
    threads.enter()
    let thread = Thread { [self] in
      var reader = RequestReader(descriptor: descriptor, connection: number)
      while let request = reader.next() {
        state.withLock { state in
          state.count += 1
          if records { state.requests.append(request) }
        }
        let reply = reply(request)
        guard LoopbackConnection(descriptor).send(reply.bytes), !reply.closes else { break }
      }
      state.withLock { state in
        _ = state.connections.remove(descriptor)
        close(descriptor)
      }
      threads.leave()
    }
    thread.stackSize = 1 << 18
    thread.start()
  }
}

/// Reads the requests of one connection.
private struct RequestReader {
  let descriptor: Int32
  let connection: Int
  private var index = 0
  private var bytes: [UInt8] = []

  init(descriptor: Int32, connection: Int) {
    (self.descriptor, self.connection) = (descriptor, connection)
  }

  /// The next request, or `nil` at the end of the connection.
  mutating func next() -> KeptOrigin.Request? {
    guard let end = readHeader() else { return nil }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    bytes.removeFirst(end)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while bytes.count < length { guard receive() else { return nil } }
    let words = lines[0].split(separator: " ").map(String.init)
    guard words.count == 3 else { return nil }
    defer {
      bytes.removeFirst(length)
      index += 1
    }
    return KeptOrigin.Request(
      method: words[0], target: words[1], headers: headers, body: Array(bytes[..<length]),
      connection: connection, index: index)
  }

  /// Reads until the end of the header, and returns its position.
  private mutating func readHeader() -> Int? {
    var checked = 0
    while true {
      while checked + 4 <= bytes.count {
        if bytes[checked] == 13, bytes[checked + 1] == 10, bytes[checked + 2] == 13,
          bytes[checked + 3] == 10
        {
          return checked + 4
        }
        checked += 1
      }
      guard receive() else { return nil }
    }
  }

  private mutating func receive() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { buffer in
      var count: Int
      repeat {
        count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      } while count < 0 && errno == EINTR
      if count > 0 { bytes += buffer[..<count] }
      return count > 0
    }
  }
}
