import Foundation
import Strata

/// The time that a law waits for a promise. It adapts to the load of the machine.
///
/// Patience is a number of heartbeats. A heartbeat takes at least ten milliseconds. It ends after a
/// task and a dispatched block have run, so heartbeats take longer on a loaded machine.
final class Patience: Sendable {
  private let beats: Lock<Int>
  private let late = Lock(10)

  /// Creates patience for a number of heartbeats. The default number takes ten seconds on an idle
  /// machine.
  init(_ beats: Int = 1000) { self.beats = Lock(beats) }

  /// Blocks this thread until a promise settles or no heartbeat is left.
  ///
  /// The first promise that doesn't settle in time violates the law. Shrinking then tries smaller
  /// programs with less time.
  func wait<Value>(for promise: Promise<Value>) {
    guard promise.outcome == nil else { return }
    let settled = DispatchSemaphore(value: 0)
    promise.observed { _ in settled.signal() }
    var left = beats.withLock { $0 }
    while settled.wait(timeout: .now() + .milliseconds(10)) == .timedOut {
      left -= 1
      guard left > 0 else { return beats.withLock { $0 = min($0, 20) } }
      beat { promise.outcome != nil }
    }
  }

  /// The number of heartbeats to wait for a late write, at least one. The number decreases each
  /// time a wait finds no late write.
  var lateBeats: Int { late.withLock { $0 } }

  /// Shortens future waits for a late write.
  func waitLess() { late.withLock { $0 = max(1, $0 - 1) } }

  /// Waits a few milliseconds, and then until a task and a dispatched block have run.
  func beat() {
    Thread.sleep(forTimeInterval: 0.002)
    beat { false }
  }

  /// Waits until a task and a dispatched block have run.
  private func beat(unless isEnough: () -> Bool) {
    let done = DispatchSemaphore(value: 0)
    Task.detached(priority: .low) { done.signal() }
    DispatchQueue.global().async { done.signal() }
    var seconds = 0
    for _ in 0..<2 {
      while done.wait(timeout: .now() + .seconds(1)) == .timedOut {
        guard !isEnough() else { return }
        seconds += 1
        if seconds == 30 { Self.complain() }
      }
    }
  }

  private static func complain() {
    FileHandle.standardError.write(
      Data("StrataLaws: no task has run for 30 s, because other code blocks all threads.\n".utf8))
  }
}

/// The error of a blocking check called from a task.
struct BlockedTask: Error, CustomStringConvertible {
  let laws: String

  /// Whether the caller runs in a task. A wait there would block a thread that a level may need.
  static var isNear: Bool { withUnsafeCurrentTask { $0 != nil } }

  var description: String {
    "the laws of \(laws) can't wait for promises inside a task: the wait would block a thread that "
      + "the level may need. Make the test function async and write: try await Laws.check(…)"
  }
}
