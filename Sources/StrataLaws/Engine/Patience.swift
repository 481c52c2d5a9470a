import Foundation
import StrataVerbs

/// The maximum time that a law waits for a promise. It adapts to the load of the machine.
///
/// A law measures its waiting time in heartbeats instead of seconds. A heartbeat ends when a new
/// task and a new dispatched block have run, so it takes longer on a loaded machine. In
/// ``wait(for:)``, a heartbeat takes at least ten milliseconds.
final class Patience: Sendable {
  private let beats: Lock<Int>
  private let late = Lock(10)

  /// Creates an instance.
  ///
  /// - Parameter beats: The maximum number of heartbeats for which `wait(for:)` waits. On an idle
  ///   machine, the default of 1,000 heartbeats takes about ten seconds.
  init(_ beats: Int = 1000) { self.beats = Lock(beats) }

  /// Blocks this thread until a promise settles, at most for the maximum number of heartbeats.
  ///
  /// A promise that doesn't settle in time violates the law. After the first timeout, each wait
  /// ends after at most 20 heartbeats, so the law finds a smaller violating program faster.
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

  /// Waits until a condition is true, at most for the maximum number of heartbeats.
  func wait(until isDone: () -> Bool) {
    var left = beats.withLock { $0 }
    while !isDone() {
      left -= 1
      guard left > 0 else { return beats.withLock { $0 = min($0, 20) } }
      beat()
    }
  }

  /// Waits until a condition is true or a time has passed. But it always waits for some heartbeats,
  /// because on a busy machine, the tested code may not have run yet.
  func wait(within bound: Duration, until isDone: () -> Bool) {
    let end = ContinuousClock.now + bound
    var left = min(beats.withLock { $0 }, 20)
    while !isDone(), left > 0 || ContinuousClock.now < end {
      left -= 1
      beat()
    }
  }

  /// The number of heartbeats for which a law reads a key again after a get has returned an
  /// outdated result. The number begins at ten. Each time that these reads find no newer result, it
  /// decreases by one, but not below one.
  var lateBeats: Int { late.withLock { $0 } }

  /// Decreases `lateBeats` by one, but not below one.
  func waitLess() { late.withLock { $0 = max(1, $0 - 1) } }

  /// Waits a few milliseconds, and then waits until a task and a dispatched block have run.
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

/// The error that a blocking check throws if its caller runs in a task.
struct BlockedTask: Error, CustomStringConvertible {
  let laws: String

  /// Whether the caller runs in a task. There, a check must not wait, because it would block a
  /// thread that the tested level may need.
  static var isNear: Bool { withUnsafeCurrentTask { $0 != nil } }

  var description: String {
    "the laws of \(laws) can't wait for promises inside a task: the wait would block a thread that "
      + "the level may need. Make the function async and write: try await Laws.check(…). The top "
      + "level of a script also runs in a task, and prefers the blocking variant there, so call an "
      + "async function that calls the check."
  }
}
