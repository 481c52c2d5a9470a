import Foundation

@testable import StrataCore

/// An HTTP origin on 127.0.0.1. A test chooses the origin's responses, which can be valid or
/// faulty.
///
/// Each connection has a separate thread, carries one request, and is closed after the reply.
///
///     let origin = try LoopbackOrigin { request in
///       request.path == "/a" ? .respond(body: "hello") : .respond(status: 404)
///     }
///     defer { origin.stop() }
///     origin.url("/a")  // http://127.0.0.1:PORT/a
final class LoopbackOrigin: Sendable {
  /// A request that the origin has read.
  struct Request: Sendable {
    let method: String
    let path: String
    /// The header fields, keyed by their lowercase names.
    let headers: [String: String]
    /// The bytes of the request line and the fields.
    let bytes: [UInt8]

    /// Whether the request contains the bytes.
    func contains(_ part: [UInt8]) -> Bool { Data(bytes).range(of: Data(part)) != nil }
  }

  /// The reply to a request.
  enum Reply: Sendable {
    /// A correct response. The origin adds Content-Length and `Connection: close`.
    case respond(status: Int = 200, headers: [String: String] = [:], body: String = "")
    /// The origin sends these bytes, and then ends the connection.
    case raw([UInt8])
    /// The closure sends bytes. The connection ends when the closure returns.
    case stream(@Sendable (LoopbackConnection) -> Void)
    /// The origin sends these bytes, and then resets the connection (RST) instead of closing it
    /// (FIN).
    case reset(after: [UInt8])
  }

  /// The maximum number of open connections. The origin closes any further connection without
  /// reading from it.
  static let maximumConnections = 256

  private let server: LoopbackServer
  private let read = Lock<[Request]>([])

  init(_ answer: @escaping @Sendable (Request) -> Reply) throws {
    server = try LoopbackServer(maximumConnections: Self.maximumConnections) {
      [read] descriptor, _ in
      let connection = LoopbackConnection(descriptor)
      guard let request = connection.readRequest() else { return }
      read.withLock { $0.append(request) }
      connection.send(answer(request))
    }
  }

  var port: UInt16 { server.port }

  func url(_ path: String = "/") -> URL { server.url(path) }

  /// The requests so far, in the order of their arrival.
  var requests: [Request] { read.withLock { $0 } }

  /// The number of open connections.
  var openConnections: Int { server.openConnections }

  /// Ends every connection, and waits until all threads have ended.
  func stop() { server.stop() }
}
