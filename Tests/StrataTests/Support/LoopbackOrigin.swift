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

  private struct State {
    var requests: [Request] = []
    var connections: Set<Int32> = []
    var stopped = false
  }

  /// More connections than these at once are closed unread.
  static let maximumConnections = 256

  let port: UInt16
  private let listener: Int32
  private let answer: @Sendable (Request) -> Reply
  private let state = Lock(State())
  private let threads = DispatchGroup()

  init(_ answer: @escaping @Sendable (Request) -> Reply) throws {
    (listener, port) = try LoopbackConnection.listen()
    self.answer = answer
    threads.enter()
    Thread.detachNewThread { [self] in
      accept()
      threads.leave()
    }
  }

  func url(_ path: String = "/") -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// The requests read so far, in order of arrival.
  var requests: [Request] { state.withLock { $0.requests } }

  /// The connections that are open now.
  var openConnections: Int { state.withLock { $0.connections.count } }

  /// Ends every connection and waits until all threads are gone.
  func stop() {
    let wasRunning = state.withLock { state in
      defer { state.stopped = true }
      // Under the lock: a number that is in the set has not been given to another file yet.
      for connection in state.connections { _ = shutdown(connection, Int32(SHUT_RDWR)) }
      return !state.stopped
    }
    guard wasRunning else { return }
    _ = shutdown(listener, Int32(SHUT_RDWR))
    LoopbackConnection.wake(port: port)
    threads.wait()
    close(listener)
  }

  private func accept() {
    while true {
      let descriptor = LoopbackConnection.accept(on: listener)
      let isRunning = state.withLock { !$0.stopped }
      guard isRunning else {
        if descriptor >= 0 { close(descriptor) }
        return
      }
      guard descriptor >= 0 else { continue }
      serve(descriptor)
    }
  }

  private func serve(_ descriptor: Int32) {
    let isTaken = state.withLock { state in
      guard !state.stopped, state.connections.count < Self.maximumConnections else { return false }
      state.connections.insert(descriptor)
      return true
    }
    guard isTaken else {
      close(descriptor)
      return
    }
    threads.enter()
    Thread.detachNewThread { [self] in
      let connection = LoopbackConnection(descriptor)
      if let request = connection.readRequest() {
        state.withLock { $0.requests.append(request) }
        connection.send(answer(request))
      }
      state.withLock { state in
        _ = state.connections.remove(descriptor)
        close(descriptor)
      }
      threads.leave()
    }
  }
}
