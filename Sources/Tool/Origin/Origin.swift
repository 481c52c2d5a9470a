import Foundation

/// An HTTP origin on 127.0.0.1: slow on purpose, and it counts what it is asked.
///
/// One thread accepts, and one serves each connection, which carries one request. Whoever starts an
/// origin stops it: until then its threads keep it alive.
final class Origin: Sendable {
  let port: UInt16
  private let pages: Pages
  private let delay: Duration
  private let count = Guarded(0)
  private let listener: Socket
  private let alarm: (reading: Int32, writing: Int32)
  private let isStopped = Guarded(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts an origin at a free port.
  ///
  /// - Parameters:
  ///   - pages: What it serves.
  ///   - delay: How long it lets every request wait.
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

  /// How many requests have arrived, whatever they were answered.
  var requests: Int { count.withLock { $0 } }

  /// The address of a page.
  func url(_ path: String) -> URL {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.port, parts.path) = ("http", "127.0.0.1", Int(port), path)
    return parts.url ?? URL(fileURLWithPath: path)
  }

  /// Stops: when this returns, the port refuses connections. Requests under way are answered still.
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
