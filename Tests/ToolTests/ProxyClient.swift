import Foundation
import Strata

@testable import strata_tool

/// A client with one connection to 127.0.0.1. A test determines every byte that the client sends.
final class ProxyClient {
  struct Response {
    var status = 0
    var fields = HeaderFields()
    var body = ""
  }

  private let socket: Socket
  private var bytes: [UInt8] = []

  init(_ port: UInt16) throws {
    #if canImport(Glibc)
      let descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = Foundation.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    socket = Socket(descriptor: descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      socket.close()
      throw SystemError("no connection")
    }
    socket.limit(seconds: 20)
  }

  deinit { close() }

  /// Closes the connection. Later calls have no effect.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    socket.close()
  }

  private var isClosed = false

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) { socket.send(bytes) }

  func exchange(_ text: String, isHead: Bool = false) throws -> Response {
    send(text)
    return try response(isHead: isHead)
  }

  /// Reads the next response. Throws an error if the connection ends before the response is
  /// complete.
  func response(isHead: Bool = false) throws -> Response {
    var response = try head()
    let hasBody = response.status >= 200 && response.status != 304 && !isHead
    let length = hasBody ? response.fields["Content-Length"].flatMap { Int($0) } ?? 0 : 0
    while bytes.count < length { try fill() }
    response.body = String(decoding: bytes.prefix(length), as: UTF8.self)
    bytes.removeFirst(length)
    return response
  }

  /// Reads and drops bytes, and returns their count.
  func skip(_ count: Int) throws -> Int {
    var rest = count
    while rest > 0 {
      if bytes.isEmpty { try fill() }
      let taken = min(rest, bytes.count)
      bytes.removeFirst(taken)
      rest -= taken
    }
    return count
  }

  /// Reads a chunk of a streamed body. The last chunk is empty.
  func chunk() throws -> String {
    let size = Int(try line(), radix: 16) ?? 0
    while bytes.count < size { try fill() }
    let text = String(decoding: bytes.prefix(size), as: UTF8.self)
    bytes.removeFirst(size)
    _ = try line()
    return text
  }

  /// Reads and drops a chunk, and returns its size.
  func skipChunk() throws -> Int {
    let size = Int(try line(), radix: 16) ?? 0
    _ = try skip(size)
    _ = try line()
    return size
  }

  /// Reads the head of the next response.
  func head() throws -> Response {
    var response = Response()
    let words = try line().split(separator: " ")
    response.status = words.count > 1 ? Int(words[1]) ?? 0 : 0
    while case let line = try line(), !line.isEmpty {
      let parts = line.split(separator: ":", maxSplits: 1)
      response.fields.append(String(parts.last ?? ""), for: String(parts.first ?? ""))
    }
    return response
  }

  private func line() throws -> String {
    while true {
      if let end = bytes.firstIndex(of: 10) {
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<max(0, end - 1)], as: UTF8.self)
      }
      try fill()
    }
  }

  private func fill() throws {
    let next = socket.receive()
    guard !next.isEmpty else { throw ProxyFault.closed }
    bytes += next
  }
}
