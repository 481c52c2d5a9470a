import Foundation
import Strata

/// A caching proxy on 127.0.0.1 in front of one origin.
///
/// One thread accepts connections, and each connection has its own thread. The owner must stop the
/// proxy, because its threads keep it alive until then.
final class Proxy: Sendable {
  /// The maximum number of connections. Further ones wait to be accepted.
  static let maximumConnections = 1024

  let port: UInt16
  private let handler: ProxyHandler
  private let listener: Socket
  private let alarm: (reading: Int32, writing: Int32)
  private let connections = Locked<Set<Int32>>([])
  private let isStopped = Locked(false)
  // Starts at zero, because Dispatch traps if a semaphore ends below its initial value.
  private let free = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts a proxy.
  ///
  /// - Parameters:
  ///   - handler: The handler that answers requests.
  ///   - port: The port, or zero for one that the system chooses.
  init(_ handler: ProxyHandler, port: Int) throws {
    var pipe: [Int32] = [0, 0]
    guard Foundation.pipe(&pipe) == 0 else { throw SystemError("no pipe for the proxy") }
    do {
      (listener, self.port) = try Socket.listening(port: UInt16(port))
    } catch {
      pipe.forEach { _ = close($0) }
      throw error
    }
    (self.handler, alarm) = (handler, (pipe[0], pipe[1]))
    for _ in 0..<Self.maximumConnections { free.signal() }
    Thread.detachNewThread { self.accept() }
  }

  /// Stops the proxy: the port refuses connections, idle connections are closed, and requests in
  /// flight get up to `grace` to end.
  func stop(grace: Duration = .seconds(5)) {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    close(alarm.writing)
    free.signal()  // The accepting thread may wait for a connection to end.
    hasEnded.wait()
    // Only the reading half, because a connection may still be writing a response.
    connections.withLock { $0.forEach { _ = shutdown($0, Int32(SHUT_RD)) } }
    let deadline = ContinuousClock.now + grace
    while connections.withLock({ !$0.isEmpty }), ContinuousClock.now < deadline { usleep(2000) }
  }

  private func accept() {
    while true {
      free.wait()
      guard let connection = listener.accepted(until: alarm.reading) else { break }
      connections.withLock { _ = $0.insert(connection.descriptor) }
      Thread.detachNewThread { self.serve(connection) }
    }
    listener.close()
    close(alarm.reading)
    hasEnded.signal()
  }

  private func serve(_ connection: Socket) {
    connection.limit(seconds: 60)
    connection.sendImmediately()
    ProxyConnection(connection, handler) { self.isStopped.withLock { $0 } }.run()
    connections.withLock { _ = $0.remove(connection.descriptor) }
    connection.close()
    free.signal()
  }
}
