import Foundation

@testable import Strata

/// An HTTP origin on 127.0.0.1 that answers as it is told, well or badly.
///
/// Each connection carries one request, on a thread of its own, and is closed after the reply.
///
///     let origin = try LoopbackOrigin { request in
///       request.path == "/a" ? .respond(body: "hello") : .respond(status: 404)
///     }
///     defer { origin.stop() }
///     origin.url("/a")  // http://127.0.0.1:PORT/a
final class LoopbackOrigin: Sendable {
  /// A request as it was read.
  struct Request: Sendable {
    let method: String
    let path: String
    /// By lower-case name.
    let headers: [String: String]
  }

  /// What to do with a request.
  enum Reply: Sendable {
    /// A correct answer; Content-Length and `Connection: close` are added.
    case respond(status: Int = 200, headers: [String: String] = [:], body: String = "")
    /// These bytes and the end of the connection.
    case raw([UInt8])
    /// Whatever the closure sends; the connection ends with it.
    case stream(@Sendable (LoopbackConnection) -> Void)
    /// These bytes, then RST instead of FIN.
    case reset(after: [UInt8])
  }

  /// More connections than these at once are closed unread.
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

  /// The requests read so far, in order of arrival.
  var requests: [Request] { read.withLock { $0 } }

  /// The connections that are open now.
  var openConnections: Int { server.openConnections }

  /// Ends every connection and waits until all threads are gone.
  func stop() { server.stop() }
}
