import Foundation
import Strata

/// A reader that splits the bytes of a connection into requests. Several requests can arrive at the
/// same time.
struct ProxyReader {
  /// The maximum sizes of a request's head and body, in bytes.
  struct Limits: Equatable, Sendable {
    var head = 64 << 10
    var body = 10_000_000_000
  }

  private let limits: Limits
  private let receive: () -> [UInt8]
  private var bytes: [UInt8] = []
  private var position = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limits: The maximum sizes of a request's head and body.
  ///   - receive: A closure that returns the next bytes, or an empty array at the end of the
  ///     connection.
  init(limits: Limits = Limits(), receive: @escaping () -> [UInt8]) {
    (self.limits, self.receive) = (limits, receive)
  }

  /// Returns the head of the next request, or `nil` if the connection ends first.
  mutating func head() throws -> ProxyRequest? {
    var lines: [String] = []
    var size = 0
    while true {
      let line: String
      do { line = try self.line(maximum: limits.head - size) } catch ProxyFault.closed {
        guard lines.isEmpty, position == bytes.count else { throw ProxyFault.closed }
        return nil
      }
      size += line.utf8.count + 2
      if !line.isEmpty {
        lines.append(line)
      } else if !lines.isEmpty {  // Ignores an empty line before a request.
        return try ProxyHead.read(lines)
      }
    }
  }

  /// Returns the body of a request.
  mutating func body(_ framing: ProxyRequest.Framing) throws -> Data {
    switch framing {
    case .none: return Data()
    case .length(let length):
      guard length <= limits.body else { throw ProxyFault.bodyTooLarge(maximum: limits.body) }
      var body = UploadBody(maximum: length)
      try take(length, into: &body)
      return try body.finish()
    case .chunked: return try chunks()
    }
  }

  /// Whether unread bytes have arrived.
  var hasBytes: Bool { position < bytes.count }

  private mutating func chunks() throws -> Data {
    var body = UploadBody(maximum: limits.body)
    while true {
      let size = try chunkSize()
      guard size <= body.room else { throw ProxyFault.bodyTooLarge(maximum: limits.body) }
      guard size > 0 else { break }
      try take(size, into: &body)
      do {
        guard try line(maximum: 0).isEmpty else { throw ProxyFault.headTooLarge }
      } catch ProxyFault.headTooLarge {
        throw ProxyFault.malformed("a chunk is longer than its size")
      }
    }
    var size = 0
    while true {  // Skips trailers, because they aren't forwarded.
      let line = try line(maximum: limits.head - size)
      if line.isEmpty { return try body.finish() }
      size += line.utf8.count + 2
    }
  }

  private mutating func chunkSize() throws -> Int {
    let line = try line(maximum: 4096)
    let digits = line.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
    let rest = line[digits.endIndex...].drop { $0 == " " || $0 == "\t" }
    guard !digits.isEmpty, digits.utf8.count <= 15, digits.allSatisfy(\.isHexDigit),
      rest.isEmpty || rest.hasPrefix(";"), let size = Int(digits, radix: 16)
    else { throw ProxyFault.malformed("a chunk has no size") }
    return size
  }

  /// Returns the text before the next line break.
  private mutating func line(maximum: Int) throws -> String {
    var searched = position
    while true {
      if let end = bytes[searched...].firstIndex(of: 10) {
        guard end > position, bytes[end - 1] == 13 else {
          throw ProxyFault.malformed("a line has no carriage return")
        }
        guard end - position - 1 <= maximum else { throw ProxyFault.headTooLarge }
        defer { position = end + 1 }
        let line = bytes[position..<end - 1]
        guard !line.contains(where: ProxyHead.isControl) else {
          throw ProxyFault.malformed("a line has control characters")
        }
        return line.withUnsafeBytes(RawText.text)
      }
      searched = bytes.count
      guard bytes.count - position <= maximum + 2 else { throw ProxyFault.headTooLarge }
      try fill(&searched)
    }
  }

  private mutating func take(_ count: Int, into body: inout UploadBody) throws {
    var (rest, ignored) = (count, 0)
    while rest > 0 {
      if position == bytes.count { try fill(&ignored) }
      let piece = bytes[position...].prefix(rest)
      try body.append(piece)
      (position, rest) = (position + piece.count, rest - piece.count)
    }
  }

  /// Receives more bytes, and discards the bytes that have been consumed. Adjusts `index`, because
  /// the remaining bytes move to the front.
  private mutating func fill(_ index: inout Int) throws {
    let next = receive()
    guard !next.isEmpty else { throw ProxyFault.closed }
    if position > 0 {
      bytes.removeFirst(position)
      (index, position) = (index - position, 0)
    }
    bytes += next
  }
}
