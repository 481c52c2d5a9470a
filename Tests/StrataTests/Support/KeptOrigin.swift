import Foundation

@testable import StrataCore
@testable import StrataVerbs

/// An HTTP origin on 127.0.0.1 that keeps its connections open, and reads the bodies of requests.
///
///     let origin = try KeptOrigin { request in .init(text: "hello from \(request.connection)") }
///     defer { origin.stop() }
final class KeptOrigin: Sendable {
  /// A request that the origin has read.
  struct Request: Sendable {
    let method: String
    let target: String
    /// The header fields, keyed by their lowercase names.
    let headers: [String: String]
    let body: [UInt8]
    /// The zero-based number of the connection. The property `index` is the zero-based number of
    /// the request on this connection.
    let connection: Int
    let index: Int
  }

  /// The bytes of a response, and whether the connection ends after the response.
  struct Reply: Sendable {
    var bytes: [UInt8]
    /// Whether the origin closes the connection after sending the bytes.
    var closes = false

    init(bytes: [UInt8], closes: Bool = false) { (self.bytes, self.closes) = (bytes, closes) }

    init(status: Int = 200, fields: String = "", text: String = "", closes: Bool = false) {
      let header =
        "HTTP/1.1 \(status) Status\r\nContent-Length: \(text.utf8.count)\r\n\(fields)\r\n"
      self.init(bytes: Array("\(header)\(text)".utf8), closes: closes)
    }
  }

  private let server: LoopbackServer
  private let read = Lock((count: 0, requests: [Request]()))

  /// - Parameter records: Whether the origin records its ``requests``.
  init(records: Bool = true, _ reply: @escaping @Sendable (Request) -> Reply) throws {
    server = try LoopbackServer(stackSize: 1 << 18) { [read] descriptor, number in
      var reader = RequestReader(descriptor: descriptor, connection: number)
      while let request = reader.next() {
        read.withLock { read in
          read.count += 1
          if records { read.requests.append(request) }
        }
        let reply = reply(request)
        guard LoopbackConnection(descriptor).send(reply.bytes), !reply.closes else { break }
      }
    }
  }

  var port: UInt16 { server.port }

  func url(_ path: String = "/") -> URL { server.url(path) }

  /// The requests so far, in the order of their arrival.
  var requests: [Request] { read.withLock { $0.requests } }

  /// The number of requests so far.
  var count: Int { read.withLock { $0.count } }

  /// The number of connections accepted so far.
  var acceptedConnections: Int { server.acceptedConnections }

  /// The number of open connections.
  var openConnections: Int { server.openConnections }

  /// Ends every connection without a response, and continues to accept connections.
  func closeConnections() { server.closeConnections() }

  /// Ends every connection and waits until all threads have ended.
  func stop() { server.stop() }
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

  /// Returns the next request, or `nil` at the end of the connection.
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

  /// Reads until the end of the header, and returns the header's length in bytes.
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
