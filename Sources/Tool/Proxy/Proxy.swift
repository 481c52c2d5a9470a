import Foundation
import Strata

/// A caching proxy on 127.0.0.1 in front of one origin. Its owner must stop the proxy.
final class Proxy: Sendable {
  private struct State {
    var connections: Set<Int32> = []
    var isStopped = false
  }

  private let listener: Listener
  private let state: Lock<State>

  /// Starts a proxy.
  ///
  /// - Parameters:
  ///   - handler: The handler that answers requests.
  ///   - port: The port, or zero for a port that the system chooses.
  ///   - limits: The maximum sizes of a request.
  init(
    _ handler: ProxyHandler, port: Int, limits: ProxyReader.Limits = ProxyReader.Limits()
  ) throws {
    let state = Lock(State())
    self.state = state
    listener = try Listener(port: port) { Self.serve($0, handler, limits, state) }
  }

  var port: UInt16 { listener.port }

  /// Stops the proxy, which then refuses new connections, and closes idle ones. Requests in flight
  /// may finish within `grace`.
  func stop(grace: Duration = .seconds(5)) {
    state.withLock { $0.isStopped = true }
    listener.stop()
    // Shuts down only the reading side, because a connection might still be writing a response.
    state.withLock { $0.connections.forEach { _ = shutdown($0, Int32(SHUT_RD)) } }
    let deadline = ContinuousClock.now + grace
    while state.withLock({ !$0.connections.isEmpty }), ContinuousClock.now < deadline {
      usleep(2000)
    }
  }

  private static func serve(
    _ connection: Socket, _ handler: ProxyHandler, _ limits: ProxyReader.Limits,
    _ state: Lock<State>
  ) {
    let isLate = state.withLock { state in
      state.connections.insert(connection.descriptor)
      return state.isStopped
    }
    defer { state.withLock { _ = $0.connections.remove(connection.descriptor) } }
    guard !isLate else { return }
    connection.limit(seconds: 60)
    connection.sendImmediately()
    ProxyConnection(connection, handler, limits) { state.withLock { $0.isStopped } }.run()
  }
}
