import Foundation

/// An HTTP origin on 127.0.0.1 that delays and counts requests.
///
/// One thread accepts connections. Each connection has its own thread and carries one request. The
/// code that starts an origin must stop it, because its threads keep it alive until then.
final class Origin: Sendable {
  let port: UInt16
  private let pages: Pages
  private let delay: Duration
  private let count = Locked(0)
  private let listener: Socket
  private let alarm: (reading: Int32, writing: Int32)
  private let isStopped = Locked(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts an origin on a free port.
  ///
  /// - Parameters:
  ///   - pages: The pages to serve.
  ///   - delay: The delay of every response.
  init(serving pages: Pages, delay: Duration = .milliseconds(30)) throws {
    var pipe: [Int32] = [0, 0]
    guard Foundation.pipe(&pipe) == 0 else { throw SystemError("no pipe for the origin") }
    do {
      (listener, port) = try Socket.listening()
    } catch {
      pipe.forEach { _ = close($0) }
      throw error
    }
    alarm = (pipe[0], pipe[1])
    (self.pages, self.delay) = (pages, delay)
    Thread.detachNewThread { self.accept() }
  }

  /// The number of requests, whatever their responses.
  var requests: Int { count.withLock { $0 } }

  /// Returns the URL of a page.
  func url(_ path: String) -> URL {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.port, parts.path) = ("http", "127.0.0.1", Int(port), path)
    return parts.url ?? URL(fileURLWithPath: path)
  }

  /// Stops the origin. Afterwards the port refuses connections. Requests in flight still get
  /// responses.
  func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    close(alarm.writing)
    hasEnded.wait()
  }

  private func accept() {
    while let connection = listener.accepted(until: alarm.reading) {
      Thread.detachNewThread { [count, pages, delay] in
        Origin.serve(connection, pages, after: delay) { count.withLock { $0 += 1 } }
      }
    }
    listener.close()
    close(alarm.reading)
    hasEnded.signal()
  }

  private static func serve(
    _ connection: Socket, _ pages: Pages, after delay: Duration, counting: () -> Void
  ) {
    defer { connection.close() }
    connection.limit(seconds: 5)
    guard let head = connection.head() else { return }
    counting()
    Thread.sleep(forTimeInterval: delay / .seconds(1))
    connection.send(OriginResponse(to: OriginRequest(head), from: pages).bytes)
  }
}
