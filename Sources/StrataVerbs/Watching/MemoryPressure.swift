import Foundation

/// A source of memory warnings on Linux. It tries three methods in order, and uses the first one
/// that works:
///
/// 1. The kernel sends a report when tasks have waited for memory for a total of 100 ms within 2 s
///    (pressure stall information, Documentation/accounting/psi.rst). The source measures the
///    waiting time over 2 s, because the kernel requires privileges for shorter periods.
/// 2. When the kernel refuses to send reports, the source polls the kernel every 2 s. Each poll
///    reads the total time that tasks have waited for memory.
/// 3. If pressure stall information isn't available, the source checks every 2 s whether the
///    control group has reached its memory limits since the last check.
///
/// If possible, the source reads the memory pressure of the control group instead of the memory
/// pressure of the whole machine.
struct MemoryPressure: Sendable {
  /// A function that watches a kernel file. It calls a closure whenever the kernel reports, through
  /// this file, that the memory pressure has reached a threshold. The function that it returns ends
  /// the watch. When the file doesn't accept a trigger, the function throws an error with the
  /// reason.
  typealias Trigger =
    @Sendable (
      _ path: String, _ threshold: String, _ warn: @escaping @Sendable () -> Void
    ) throws -> @Sendable () -> Void

  struct TriggerFailure: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns the text of a file, or `nil` if the file can't be read.
  let read: @Sendable (_ path: String) -> String?
  let trigger: Trigger
  let time: TimeSource

  private static let window = Duration.seconds(2)
  private static let stall = 100_000  // Microseconds.
  private static let threshold = "some 100000 2000000"

  /// Starts listening for memory pressure, and returns a function that stops listening.
  func listen(
    _ warn: @escaping @Sendable () -> Void
  ) throws -> @Sendable () -> Void {
    let group = controlGroup
    let pressures = (group.map { ["\($0)/memory.pressure"] } ?? []) + ["/proc/pressure/memory"]
    var tried: [String] = []
    for path in pressures {
      do { return try trigger(path, Self.threshold, warn) } catch {
        tried.append("\(path) accepts no trigger: \(error)")
      }
    }
    for path in pressures {
      if let end = polling({ read(path).flatMap(stalled) }, every: Self.stall, warn) { return end }
      tried.append("\(path) cannot be read")
    }
    guard let group else {
      throw MemoryWarningError.unavailable(tried: tried + ["no control group of version 2"])
    }
    let events = "\(group)/memory.events"
    if let end = polling({ read(events).flatMap(limitsReached) }, every: 1, warn) { return end }
    throw MemoryWarningError.unavailable(tried: tried + ["\(events) cannot be read"])
  }

  /// The directory of this process's control group (version 2).
  private var controlGroup: String? {
    guard let path = read("/proc/self/cgroup").flatMap({ Self.rest(ofLineWith: "0::/", in: $0) })
    else { return nil }
    return path.isEmpty ? "/sys/fs/cgroup" : "/sys/fs/cgroup/\(path)"
  }

  /// Returns the total time for which tasks have waited for memory, in microseconds.
  ///
  /// The line with the time has the form `some avg10=0.00 avg60=0.00 avg300=0.00 total=5`.
  private func stalled(_ text: String) -> Int? {
    let total = Self.rest(ofLineWith: "some ", in: text)?.components(separatedBy: "total=")
    return total?.count == 2 ? Self.number(total?[1] ?? "") : nil
  }

  /// Returns the number of times that the control group was throttled, reached its limit, or ran
  /// out of memory. Each line of the text has the form `high 3`.
  private func limitsReached(_ text: String) -> Int? {
    let counts = ["high ", "max ", "oom "].compactMap { name in
      Self.rest(ofLineWith: name, in: text).flatMap(Self.number)
    }
    return counts.isEmpty ? nil : counts.reduce(0, &+)
  }

  private static func number(_ text: String) -> Int? {
    UInt64(digits: text).flatMap { Int(exactly: $0) }
  }

  /// Returns the first line that begins with a prefix, without that prefix.
  private static func rest(ofLineWith prefix: String, in text: String) -> String? {
    let line = text.components(separatedBy: "\n").first { $0.hasPrefix(prefix) }
    return line.map { String($0.dropFirst(prefix.count)) }
  }

  /// Reads a count every two seconds, and warns if the count has grown by at least `step` since the
  /// previous read. When the first read fails, returns `nil`.
  @inline(never)
  private func polling(
    _ read: @escaping @Sendable () -> Int?, every step: Int,
    _ warn: @escaping @Sendable () -> Void
  ) -> (@Sendable () -> Void)? {
    guard let first = read() else { return nil }
    let poll = Poll(time, every: Self.window) { old in
      guard let new = read() else { return old }
      if new >= old, new - old >= step { warn() }
      return new
    }
    poll.wait(after: first)
    return { poll.end() }
  }
}

/// Reads a count repeatedly.
private final class Poll: Sendable {
  private let state = Lock((cancelTimer: (@Sendable () -> Void)?.none, isOver: false))
  private let time: TimeSource
  private let window: Duration
  private let next: @Sendable (_ last: Int) -> Int

  init(
    _ time: TimeSource, every window: Duration, next: @escaping @Sendable (_ last: Int) -> Int
  ) {
    (self.time, self.window, self.next) = (time, window, next)
  }

  /// Starts the timer of the next read.
  func wait(after last: Int) {
    let cancelTimer = time.after(window) { self.wait(after: self.next(last)) }
    let isOver = state.withLock { state in
      if !state.isOver { state.cancelTimer = cancelTimer }
      return state.isOver
    }
    if isOver { cancelTimer() }
  }

  func end() {
    let cancelTimer = state.withLock { state in
      state.isOver = true
      return state.cancelTimer.take()
    }
    cancelTimer?()
  }
}
