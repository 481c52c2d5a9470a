import Foundation
import Strata

/// An HTTP origin on 127.0.0.1 that keeps connections open and always sends the same response.
///
/// This origin allocates no memory while it handles a request, so a benchmark counts only the
/// client's allocations.
final class CannedOrigin: Sendable {
  private let listener: Listener
  private let state = Lock((time: Duration.zero, sleeps: 0))

  /// Starts an origin on a free port.
  ///
  /// - Parameter delay: The delay of every response.
  init(delay: Duration) throws {
    let pause = UInt32(delay / .microseconds(1))
    listener = try Listener { [state] in Self.serve($0, after: pause, state) }
  }

  /// The processor time and the sleeps of the thread that has answered last, up to its answer.
  var use: (time: Duration, sleeps: Int) { state.withLock { $0 } }

  /// The URL of the response.
  var url: URL {
    URL(string: "http://127.0.0.1:\(listener.port)/") ?? URL(fileURLWithPath: "/")
  }

  /// Closes the port. Open connections stay open until the client closes them.
  func stop() { listener.stop() }

  private static func serve(
    _ connection: Socket, after pause: UInt32, _ state: Lock<(time: Duration, sleeps: Int)>
  ) {
    connection.limit(seconds: 60)
    connection.sendImmediately()
    let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8)
    var (buffer, count) = ([UInt8](repeating: 0, count: 4096), 0)
    while count < buffer.count {
      let received = buffer.withUnsafeMutableBytes { bytes in
        recv(connection.descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count, 0)
      }
      if received < 0, errno == EINTR { continue }
      guard received > 0 else { return }
      count += received
      guard buffer[..<count].suffix(4).elementsEqual("\r\n\r\n".utf8) else { continue }
      if pause > 0 { usleep(pause) }
      guard connection.send(response) else { return }
      state.withLock { $0 = (ProcessorTime.ofThisThread, VoluntarySwitches.ofThisThread) }
      count = 0
    }
  }
}
