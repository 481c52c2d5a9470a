import Foundation
import Strata

/// A server on a port of 127.0.0.1 that handles each connection on a dedicated thread.
///
/// Its owner must stop the listener, because the thread that accepts connections retains a running
/// listener.
final class Listener: Sendable {
  /// The maximum number of connections. Further connections wait.
  static let maximumConnections = 1024

  let port: UInt16
  private let socket: Socket
  private let alarm: (reading: Int32, writing: Int32)
  private let isStopped = Lock(false)
  // The semaphore starts at zero, because Dispatch traps if a semaphore is deallocated while its
  // value is below its initial value.
  private let free = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Opens a port.
  ///
  /// - Parameters:
  ///   - port: The port, or zero for a port that the system chooses.
  ///   - serve: A closure that serves a connection, on the connection's thread. When the closure
  ///     returns, the connection is closed.
  init(port: Int = 0, serve: @escaping @Sendable (Socket) -> Void) throws {
    var pipe: [Int32] = [0, 0]
    guard Foundation.pipe(&pipe) == 0 else { throw SystemError("the system has no free pipe") }
    do {
      (socket, self.port) = try Socket.listening(port: UInt16(port))
    } catch {
      pipe.forEach { _ = close($0) }
      throw error
    }
    alarm = (pipe[0], pipe[1])
    for _ in 0..<Self.maximumConnections { free.signal() }
    do { try startThread { [self] in accept(serve) } } catch {
      socket.close()
      pipe.forEach { _ = close($0) }
      throw error
    }
  }

  /// Closes the port, and waits until the port refuses connections. Connections that were already
  /// accepted are still served.
  func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    close(alarm.writing)
    free.signal()  // Wakes the accepting thread if it's waiting for a connection to end.
    hasEnded.wait()
  }

  private func accept(_ serve: @escaping @Sendable (Socket) -> Void) {
    while true {
      free.wait()
      guard let connection = socket.accepted(until: alarm.reading) else { break }
      do {
        try startThread { [free] in
          serve(connection)
          connection.close()
          free.signal()
        }
      } catch {  // At present, the system has no thread left.
        connection.close()
        free.signal()
      }
    }
    socket.close()
    close(alarm.reading)
    hasEnded.signal()
  }
}
