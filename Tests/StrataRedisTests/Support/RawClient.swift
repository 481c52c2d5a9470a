import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// A socket that listens on the loopback interface, by default on any free port.
final class ListeningSocket: Sendable {
  let port: UInt16
  private let descriptor: Int32
  private let isStopped = Lock(false)

  init(port: UInt16 = 0) throws {
    let descriptor = socket(AF_INET, SocketCalls.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    guard status == 0, listen(descriptor, 128) == 0 else {
      _ = close(descriptor)
      throw CocoaError(.fileReadUnknown)
    }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { _ = close(descriptor) }

  /// Passes each connection to a closure, on another thread, until the socket is stopped.
  ///
  /// The thread owns the socket, so the system doesn't reuse the socket's descriptor before the
  /// thread has ended.
  func accept(_ serve: @escaping @Sendable (Int32) -> Void) {
    Thread.detachNewThread { [self] in
      while true {
        let connection = acceptPeer(descriptor, nil, nil)
        if isStopped.withLock({ $0 }) {
          if connection >= 0 { _ = close(connection) }
          return
        }
        if connection >= 0 { serve(connection) }
      }
    }
  }

  /// Ends the thread that accepts connections. On systems where shutting down the socket doesn't
  /// wake the thread, a new connection wakes the thread.
  func stop() {
    isStopped.withLock { $0 = true }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    if let connection = RawClient.connected(to: port) { _ = close(connection) }
  }
}

/// A blocking Redis connection that doesn't use the code under test.
final class RawClient {
  private let descriptor: Int32

  init?(port: UInt16) {
    guard let descriptor = Self.connected(to: port) else { return nil }
    self.descriptor = descriptor
  }

  static func connected(to port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, SocketCalls.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    if status == 0 { return descriptor }
    _ = close(descriptor)
    return nil
  }

  deinit { _ = close(descriptor) }

  /// Sends a command, and returns the first bytes of its reply.
  @discardableResult
  func send(_ words: String...) -> String { sendAll(words) }

  @discardableResult
  func sendAll(_ words: [String]) -> String {
    var text = "*\(words.count)\r\n"
    for word in words { text += "$\(word.utf8.count)\r\n\(word)\r\n" }
    guard Self.write(Array(text.utf8), to: descriptor) else { return "" }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : ""
  }

  /// Returns the number of times that the server has run a command since `CONFIG RESETSTAT`.
  func calls(of command: String) -> Int? {
    let line = send("INFO", "commandstats").split(whereSeparator: \.isNewline)
      .first { $0.hasPrefix("cmdstat_\(command):calls=") }
    return line.flatMap { Int($0.split(whereSeparator: { "=,".contains($0) })[1]) }
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes {
      sendBytes(descriptor, $0.baseAddress, $0.count, SocketCalls.sendFlags) == $0.count
    }
  }
}

// The C functions `accept` and `send`. The classes `ListeningSocket` and `RawClient` have methods
// of the same names, so the classes call the C functions through these constants.
private let acceptPeer = accept(_:_:_:)
private let sendBytes = send(_:_:_:_:)
