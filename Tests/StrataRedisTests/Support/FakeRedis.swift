import Foundation
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// A fake Redis server with one thread for each connection. Each test supplies a closure that
/// returns the server's answers.
final class FakeRedis: Sendable {
  enum Answer {
    case bytes(String)
    case data(Data)
    case silence
    case close

    fileprivate var bytes: [UInt8] {
      switch self {
      case .bytes(let text): Array(text.utf8)
      case .data(let data): Array(data)
      case .silence, .close: []
      }
    }
  }

  let port: UInt16
  private let listener: ListeningSocket
  private let requests = Lock<[[String]]>([])
  private let connections = Lock((open: Set<Int32>(), accepted: 0))

  /// - Parameter answer: A closure that returns the answer to a request on the connection with the
  ///   given number.
  init(_ answer: @escaping @Sendable (_ request: [String], _ connection: Int) -> Answer) throws {
    listener = try ListeningSocket()
    port = listener.port
    listener.accept { [requests, connections] connection in
      let number = connections.withLock { connections in
        connections.open.insert(connection)
        connections.accepted += 1
        return connections.accepted - 1
      }
      Thread.detachNewThread {
        Self.serve(connection, number, requests, answer)
        connections.withLock { connections in
          connections.open.remove(connection)
          _ = close(connection)
        }
      }
    }
  }

  deinit { stop() }

  func stop() {
    listener.stop()
    connections.withLock { connections in
      // The lock keeps these descriptors open, so the system can't reuse them for other files.
      for connection in connections.open { _ = shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  /// All requests so far, except the requests of the handshake.
  var received: [[String]] {
    requests.withLock { $0 }.filter {
      !["HELLO", "AUTH", "CLIENT", "SELECT", "INFO"].contains($0[0])
    }
  }

  /// The number of connections that are open now.
  var openConnections: Int { connections.withLock { $0.open.count } }

  var all: [[String]] { requests.withLock { $0 } }

  /// Returns the usual answer to the handshake.
  static func greeting(_ request: [String]) -> Answer? {
    switch request[0] {
    case "HELLO": .bytes("%2\r\n+id\r\n:7\r\n+proto\r\n:3\r\n")
    case "CLIENT", "AUTH", "SELECT": .bytes("+OK\r\n")
    case "INFO": .bytes("$0\r\n\r\n")
    default: nil
    }
  }

  private static func serve(
    _ descriptor: Int32, _ id: Int, _ requests: Lock<[[String]]>,
    _ answer: (_ request: [String], _ connection: Int) -> Answer
  ) {
    var (parser, buffer) = (ReplyParser(), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      buffer[..<count].withUnsafeBytes { parser.append($0) }
      while let request = try? parser.next() {
        let words = request.elements?.compactMap(\.string) ?? []
        requests.withLock { $0.append(words) }
        let reply = answer(words, id)
        switch reply {
        case .silence: break
        case .close:
          _ = shutdown(descriptor, Int32(SHUT_RDWR))
          return
        case .data, .bytes:
          let bytes = reply.bytes
          _ = send(descriptor, bytes, bytes.count, SocketCalls.sendFlags)
        }
      }
    }
  }
}
