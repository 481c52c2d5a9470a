import Foundation

/// A body that is still arriving while its response is already in use.
///
/// Only one reader may take the bytes. When the stream is released early, the transfer stops.
package final class BodyStream: Sendable {
  /// The result of waiting for the next bytes.
  package enum Step: Sendable {
    case piece(Data)
    /// The body is complete.
    case end
    /// The body is incomplete, and no more bytes will arrive.
    case failure(NetworkError)
    /// No bytes arrived in time.
    case nothing
  }

  private let pipe: BodyPipe
  private let stop: @Sendable () -> Void

  init(_ pipe: BodyPipe, stop: @escaping @Sendable () -> Void) {
    (self.pipe, self.stop) = (pipe, stop)
  }

  deinit { stop() }

  /// Stops the transfer. Then the reader receives the bytes that have arrived, and after them a
  /// failure.
  package func cancel() {
    pipe.finish(NetworkError(.cancelled, url: nil))
    stop()
  }

  /// Waits for the next bytes, and takes all bytes that have arrived.
  package func next(within limit: Duration) -> Step { pipe.next(within: limit) }
}

/// The bytes that have arrived, and that the reader of a ``BodyStream`` hasn't taken yet.
final class BodyPipe: Sendable {
  /// The number of bytes above which a transfer pauses. This transfer continues after the reader
  /// has taken the bytes.
  static let room = 1 << 20
  /// The maximum number of bytes in the pipe, for a transfer that can't pause.
  static let maximum = 64 << 20

  private struct State {
    var bytes = Data()
    var end: BodyStream.Step?
    var isPaused = false
  }

  private let state = Lock(State())
  private let arrival = DispatchSemaphore(value: 0)
  private let resume: @Sendable () -> Void

  /// - Parameter resume: A closure that continues the transfer after ``pausesNow()`` has returned
  ///   `true`. This closure is called on the reader's thread.
  init(resume: @escaping @Sendable () -> Void) { self.resume = resume }

  /// Adds bytes, and returns `false` if the pipe holds more than the maximum.
  func add(_ bytes: Data) -> Bool {
    let size = state.withLock { state in
      state.bytes.append(bytes)
      return state.bytes.count
    }
    arrival.signal()
    return size <= Self.maximum
  }

  /// Returns `true` if the transfer must pause now. Then the pipe calls `resume` later.
  func pausesNow() -> Bool {
    state.withLock { state in
      state.isPaused = state.bytes.count >= Self.room
      return state.isPaused
    }
  }

  /// Ends the stream after the bytes that have arrived. Later calls have no effect.
  func finish(_ error: NetworkError?) {
    state.withLock { $0.end = $0.end ?? error.map { .failure($0) } ?? .end }
    arrival.signal()
  }

  func next(within limit: Duration) -> BodyStream.Step {
    let deadline = DispatchTime.now() + limit / .seconds(1)
    while true {
      if let step = take() { return step }
      // When the reader has taken several pieces together, the signals of all pieces except the
      // first one remain.
      guard arrival.wait(timeout: deadline) == .success else { return take() ?? .nothing }
    }
  }

  private func take() -> BodyStream.Step? {
    let (step, wasPaused) = state.withLock { state -> (BodyStream.Step?, Bool) in
      guard !state.bytes.isEmpty else { return (state.end, false) }
      defer { (state.bytes, state.isPaused) = (Data(), false) }
      return (.piece(state.bytes), state.isPaused)
    }
    if wasPaused { resume() }
    return step
  }
}
