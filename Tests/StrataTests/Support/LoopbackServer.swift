import Foundation

@testable import StrataCore
@testable import StrataVerbs

/// A server on 127.0.0.1, with a thread that accepts connections and a thread for each connection.
final class LoopbackServer: Sendable {
  private struct State {
    var connections: Set<Int32> = []
    var accepted = 0
    var isStopped = false
  }

  let port: UInt16
  private let listener: Int32
  private let maximumConnections: Int
  private let stackSize: Int
  private let serve: @Sendable (_ descriptor: Int32, _ number: Int) -> Void
  private let state = Lock(State())
  private let threads = DispatchGroup()

  /// - Parameters:
  ///   - maximumConnections: The maximum number of open connections. The server closes any further
  ///     connection without reading from it.
  ///   - serve: A closure called on each connection's thread, with the zero-based number of the
  ///     connection. When the closure returns, the server closes the connection.
  init(
    maximumConnections: Int = .max, stackSize: Int = 512 << 10,
    _ serve: @escaping @Sendable (_ descriptor: Int32, _ number: Int) -> Void
  ) throws {
    (listener, port) = try LoopbackConnection.listen()
    (self.maximumConnections, self.stackSize, self.serve) = (maximumConnections, stackSize, serve)
    threads.enter()
    Thread.detachNewThread { [self] in
      accept()
      threads.leave()
    }
  }

  func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// The number of connections accepted so far.
  var acceptedConnections: Int { state.withLock { $0.accepted } }

  /// The number of open connections.
  var openConnections: Int { state.withLock { $0.connections.count } }

  /// Closes every open connection, but continues to accept new ones.
  func closeConnections() {
    state.withLock { state in
      // While the lock is held, every descriptor in the set stays open, so no descriptor can be
      // reused for another file.
      for connection in state.connections { _ = shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  /// Ends every connection and waits until all threads have ended.
  func stop() {
    let wasRunning = state.withLock { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    guard wasRunning else { return }
    closeConnections()
    _ = shutdown(listener, Int32(SHUT_RDWR))
    LoopbackConnection.wake(port: port)
    threads.wait()
    close(listener)
  }

  private func accept() {
    while true {
      let descriptor = LoopbackConnection.accept(on: listener)
      let number = state.withLock { state -> Int? in
        guard !state.isStopped, descriptor >= 0, state.connections.count < maximumConnections
        else { return nil }
        state.connections.insert(descriptor)
        state.accepted += 1
        return state.accepted - 1
      }
      if let number {
        start(descriptor, number)
      } else {
        if descriptor >= 0 { close(descriptor) }
        if state.withLock({ $0.isStopped }) { return }
      }
    }
  }

  private func start(_ descriptor: Int32, _ number: Int) {
    threads.enter()
    let thread = Thread { [self] in
      serve(descriptor, number)
      state.withLock { state in
        _ = state.connections.remove(descriptor)
        close(descriptor)
      }
      threads.leave()
    }
    thread.stackSize = stackSize
    thread.start()
  }
}
