import Foundation
import Strata

/// An HTTP origin on 127.0.0.1 that delays and counts requests.
///
/// Connections carry one request each. Code that starts an origin must stop it.
final class Origin: Sendable {
  private let listener: Listener
  private let count: Lock<Int>

  /// Starts an origin on a free port.
  ///
  /// - Parameters:
  ///   - pages: The pages to serve.
  ///   - delay: The delay of every response.
  init(serving pages: Pages, delay: Duration = .milliseconds(30)) throws {
    let count = Lock(0)
    self.count = count
    listener = try Listener { connection in
      Self.serve(connection, pages, after: delay) { count.withLock { $0 += 1 } }
    }
  }

  var port: UInt16 { listener.port }

  /// The number of requests so far, including requests for missing pages.
  var requests: Int { count.withLock { $0 } }

  /// Returns the URL of a page.
  func url(_ path: String) -> URL {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.port, parts.path) = ("http", "127.0.0.1", Int(port), path)
    return parts.url ?? URL(fileURLWithPath: path)
  }

  /// Stops the origin. Afterwards, the port refuses connections. Requests in flight still receive
  /// responses.
  func stop() { listener.stop() }

  private static func serve(
    _ connection: Socket, _ pages: Pages, after delay: Duration, counting: () -> Void
  ) {
    connection.limit(seconds: 5)
    guard let head = connection.head() else { return }
    counting()
    Thread.sleep(forTimeInterval: delay / .seconds(1))
    connection.send(OriginResponse(to: OriginRequest(head), from: pages).bytes)
  }
}
