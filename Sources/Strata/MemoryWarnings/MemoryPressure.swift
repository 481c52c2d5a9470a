/// How memory warnings are had on Linux: the first that works of three ways.
///
/// 1. The kernel is asked to tell when tasks have waited for memory for 100 ms of 2 s (pressure
///    stall information, Documentation/accounting/psi.rst). 2 s, since other windows are for the
///    privileged.
/// 2. Where it may not be asked, its count of the time waited is looked at every 2 s.
/// 3. Where there is no such count, the control group's count of having reached its limits is.
///
/// The control group's own pressure is preferred to that of the whole machine.
struct MemoryPressure: Sendable {
  /// Calls what it is given when the pressure of a file reaches a threshold; throws why it cannot.
  typealias Trigger =
    @Sendable (
      _ path: String, _ threshold: String, _ warn: @escaping @Sendable () -> Void
    ) throws -> @Sendable () -> Void

  struct TriggerFailure: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns the text of a file, or `nil` if it cannot be read.
  let read: @Sendable (_ path: String) -> String?
  let trigger: Trigger
  let time: TimeSource

  private static let window = Duration.seconds(2)
  private static let stall = 100_000  // Microseconds.
  private static let threshold = "some 100000 2000000"

  /// Begins to listen; returns what ends it.
  func listen(
    _ warn: @escaping @Sendable () -> Void
  ) throws -> @Sendable () -> Void {
    let group = controlGroup
    let pressures = (group.map { ["\($0)/memory.pressure"] } ?? []) + ["/proc/pressure/memory"]
    var tried: [String] = []
    for path in pressures {
      do { return try trigger(path, Self.threshold, warn) } catch {
        tried.append("\(path) takes no trigger: \(error)")
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

  /// The folder of this process' control group of version 2.
  private var controlGroup: String? {
    let lines = read("/proc/self/cgroup")?.split(separator: "\n") ?? []
    guard let line = lines.first(where: { $0.hasPrefix("0::/") }) else { return nil }
    let path = line.dropFirst("0::/".count)
    return path.isEmpty ? "/sys/fs/cgroup" : "/sys/fs/cgroup/\(path)"
  }

  /// The time for which some task has waited: of `some avg10=0.00 avg60=0.00 avg300=0.00 total=5`,
  /// in microseconds.
  private func stalled(_ text: String) -> Int? {
    let line = text.split(separator: "\n").first { $0.hasPrefix("some ") }
    let field = line?.split(separator: " ").first { $0.hasPrefix("total=") }
    return field.flatMap { Int($0.dropFirst("total=".count)) }
  }

  /// How often the group was slowed down, had to give back or ran out: of lines such as `high 3`.
  private func limitsReached(_ text: String) -> Int? {
    let counts = text.split(separator: "\n").compactMap { line -> Int? in
      let fields = line.split(separator: " ")
      let isLimit = fields.count == 2 && ["high", "max", "oom"].contains(fields[0])
      return isLimit ? Int(fields[1]) : nil
    }
    return counts.isEmpty ? nil : counts.reduce(0) { $0.addingReportingOverflow($1).partialValue }
  }

  /// Looks every two seconds, and warns when a count has grown by a step; `nil` if there is no
  /// count.
  private func polling(
    _ look: @escaping @Sendable () -> Int?, every step: Int,
    _ warn: @escaping @Sendable () -> Void
  ) -> (@Sendable () -> Void)? {
    guard let first = look() else { return nil }
    let poll = Poll(last: first, time: time, window: Self.window, look: look) { old, new in
      if new >= old, new - old >= step { warn() }
    }
    poll.wait()
    return { poll.end() }
  }
}

/// Looks at a count again and again.
private final class Poll: Sendable {
  private let state: Lock<(last: Int, callOff: (@Sendable () -> Void)?, isOver: Bool)>
  private let time: TimeSource
  private let window: Duration
  private let look: @Sendable () -> Int?
  private let compare: @Sendable (_ old: Int, _ new: Int) -> Void

  init(
    last: Int, time: TimeSource, window: Duration, look: @escaping @Sendable () -> Int?,
    compare: @escaping @Sendable (_ old: Int, _ new: Int) -> Void
  ) {
    state = Lock((last, nil, false))
    (self.time, self.window, self.look, self.compare) = (time, window, look, compare)
  }

  func wait() {
    let callOff = time.after(window) {
      if let new = self.look() {
        self.compare(self.exchange(new), new)
      }
      self.wait()
    }
    let isOver = state.withLock { state in
      if !state.isOver { state.callOff = callOff }
      return state.isOver
    }
    if isOver { callOff() }
  }

  private func exchange(_ new: Int) -> Int {
    state.withLock { state in
      let old = state.last
      state.last = new
      return old
    }
  }

  func end() {
    let callOff = state.withLock { state in
      state.isOver = true
      return state.callOff.take()
    }
    callOff?()
  }
}
