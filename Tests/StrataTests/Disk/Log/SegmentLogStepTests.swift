import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests overlapping changes by three processes that share a log. In each run, the first process
/// pauses at one of its system calls while the second process makes a change. The second process
/// pauses at one of its system calls while the third process makes a change. The runs cover every
/// system call of the first process, but only some system calls of the second process.
final class SegmentLogStepTests: DiskTestCase {
  private enum Change {
    case set, clear, roll, evict

    func make(in log: SegmentLog, _ value: UInt8) throws {
      switch self {
      case .set: try log.set(Data([value]), for: "k")
      case .clear: try log.removeAll()
      case .roll: try log.roll()
      case .evict: _ = try log.evictOldest()
      }
    }
  }

  /// Counts the system calls of a log, and runs a closure immediately before one of them.
  private final class Step: Sendable {
    let faulty = FaultyFileSystem()

    func run(at number: Int, thenFailing isEnding: Bool, _ body: @escaping @Sendable () -> Void) {
      let first = faulty.calls.count
      faulty.setFault { count, _ in
        if count == first + number { body() }
        return isEnding && count >= first + number ? EIO : nil
      }
    }
  }

  /// The values that the logs read, in order. Once a value has been replaced, it must not reappear.
  private struct History {
    var values: [UInt8] = []
    /// Whether a successful `set` or `clear` has replaced the initial value.
    var isReplaced = false
    var returned: [String] = []

    mutating func add(_ value: Data?, _ reader: String) {
      guard let value = value?.first, value != values.last else { return }
      if values.contains(value) { returned.append("\(reader) reads \(value) after \(values)") }
      values.append(value)
    }
  }

  /// Returns whether the first process reached its system call number `outer`, and whether the
  /// second process reached its system call number `inner`.
  private func run(
    _ changes: [Change], _ outer: Int, _ inner: Int, isEnding: Bool, _ text: String
  ) throws -> (outer: Bool, inner: Bool) {
    try? FileManager.default.removeItem(atPath: folder)
    let steps = [Step(), Step(), Step()]
    let logs = steps.map { step in
      var files = step.faulty.files
      files.now = { 1_000_000_000_000 }
      files.pause = { _ in }
      return self.log(files: files)
    }
    try logs[0].set(Data([0]), for: "k")
    for log in logs { XCTAssertEqual(log.value("k"), Data([0])) }
    let history = Lock(History())
    let change: @Sendable (Int) -> Void = { number in
      let isDone = (try? changes[number].make(in: logs[number], UInt8(number + 1))) != nil
      steps[number].faulty.setFault { _, _ in nil }
      for reader in number..<3 where reader > 0 {
        let value = logs[reader].value("k")
        history.withLock { $0.add(value, "\(reader)") }
      }
      let isWrite = [.set, .clear].contains(changes[number])
      if isDone, isWrite { history.withLock { $0.isReplaced = true } }
    }
    let (isOuter, isInner) = (Lock(false), Lock(false))
    steps[0].run(at: outer, thenFailing: isEnding) {
      isOuter.withLock { $0 = true }
      steps[1].run(at: inner, thenFailing: false) {
        isInner.withLock { $0 = true }
        change(2)
      }
      change(1)
    }
    change(0)
    for step in steps { step.faulty.setFault { _, _ in nil } }
    let fresh = log()
    let last = fresh.value("k")
    for (number, log) in logs.enumerated() {
      // After a `clear` or an eviction, other processes can still read values from the removed
      // files.
      if last == nil, changes.contains(where: { [.clear, .evict].contains($0) }) { continue }
      XCTAssertEqual(log.value("k"), last, "\(number) after \(text)")
    }
    history.withLock { history in
      history.add(last, "a new process")
      XCTAssertEqual(history.returned, [], text)
      if history.isReplaced { XCTAssertNotEqual(last, Data([0]), text) }
    }
    return (isOuter.withLock { $0 }, isInner.withLock { $0 })
  }

  func testThreeProcessesAtEachCall() throws {
    let all: [[Change]] = [
      [.set, .set, .set], [.roll, .set, .set], [.set, .roll, .set], [.roll, .roll, .set],
      [.clear, .set, .set], [.set, .clear, .set], [.roll, .evict, .set],
    ]
    var runs = 0
    for (number, changes) in all.enumerated() {
      for isEnding in [false, true] {
        var (outer, isOuter) = (1, true)
        while isOuter {
          // Pauses the second process at every third of its first 23 system calls, or at every
          // ninth if `isEnding` is `true`. A process that waits for a lock makes about a thousand
          // system calls, so a pause at each call would take too long.
          let step = isEnding ? 9 : 3
          for inner in stride(from: 1 + outer % step, to: 24, by: step) {
            let text = "\(number) at \(outer) and \(inner), ending: \(isEnding)"
            let found = try run(changes, outer, inner, isEnding: isEnding, text)
            runs += 1
            isOuter = found.outer
            if !found.inner { break }
          }
          outer += 1
        }
      }
    }
    XCTAssertGreaterThan(runs, 300)
  }
}
