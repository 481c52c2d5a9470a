import Foundation
import Strata
import StrataExplain

/// Serves a page about a running pipeline on a port of 127.0.0.1. The owner of the server must stop
/// it.
///
/// Like the proxy, the server refuses requests whose `Host` isn't a name of this machine. So a web
/// page can't read the status by giving its own name the address 127.0.0.1.
final class StatusServer: Sendable {
  /// The time between two reports. Browsers also reload the page after this time.
  static let interval = Duration.seconds(5)

  private let listener: Listener

  /// Starts a server.
  ///
  /// - Parameter page: A closure that returns the page. It's called once for each request, on the
  ///   thread of the connection.
  init(port: Int, page: @escaping @Sendable () -> StatusPage) throws {
    listener = try Listener(port: port) { connection in
      connection.limit(seconds: 5)
      guard let head = connection.head() else { return }
      _ = connection.send(Self.response(to: Array(head), page))
    }
  }

  /// The address of the page.
  var address: String { "http://127.0.0.1:\(listener.port)/" }

  func stop() { listener.stop() }

  /// Returns the response to the head of a request.
  static func response(to head: [UInt8], _ page: () -> StatusPage) -> [UInt8] {
    guard let request = OriginRequest(head) else {
      return text("400 Bad Request", "This isn't an HTTP request.\n")
    }
    guard isLocal(head) else {
      return text("403 Forbidden", "The host isn't a name of this machine.\n")
    }
    guard request.method == "GET" else {
      return text("405 Method Not Allowed", "The page can only be read.\n")
    }
    guard request.path == "/" else { return text("404 Not Found", "The page is at /.\n") }
    return bytes("200 OK", "text/html", page().html)
  }

  private static func isLocal(_ head: [UInt8]) -> Bool {
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let hosts = lines.dropFirst().filter { $0.lowercased().hasPrefix("host:") }
      .map { $0.dropFirst(5).trimmingCharacters(in: .whitespaces) }
    return hosts.count == 1
      && hosts.allSatisfy { name in
        ProxyHosts.host(of: name).map(ProxyHosts.isLoopback) ?? false
      }
  }

  private static func text(_ status: String, _ text: String) -> [UInt8] {
    bytes(status, "text/plain", text)
  }

  private static func bytes(_ status: String, _ type: String, _ body: String) -> [UInt8] {
    let head = [
      "HTTP/1.1 \(status)", "Content-Type: \(type); charset=utf-8",
      "Content-Length: \(body.utf8.count)", "Cache-Control: no-store",
      "X-Content-Type-Options: nosniff", "Connection: close",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}
