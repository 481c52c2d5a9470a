import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Runs the same operations many times, and makes a different system call fail in each run. Checks
/// the result of every get.
final class SegmentLogFaultTests: DiskTestCase {
  /// The versions of each key that a get may return. A miss is always allowed.
  private struct Oracle {
    var allowed: [String: Set<Int>] = [:]
    var lies: [String] = []

    mutating func check(_ key: String, _ value: Data?) {
      guard let value else { return }
      guard let stamp = Stamp(value), stamp.key == key,
        allowed[key, default: []].contains(stamp.version)
      else { return lies.append("\(key): \(String(decoding: value.prefix(20), as: UTF8.self))") }
    }

    /// After a failed write, a get may return the old or the new version.
    mutating func wrote(_ key: String, _ version: Int, _ succeeded: Bool) {
      allowed[key] = succeeded ? [version] : allowed[key, default: []].union([version])
    }
  }

  private let keys = ["a", "b", "c", "d"]
  private let capacity = 64 << 10
  private let clock = Lock<Int64>(1_000_000_000_000)

  private func ticking(_ files: FileSystem) -> FileSystem {
    var files = files
    let clock = clock
    files.now = { clock.withLock { $0 } }
    return files
  }

  /// Runs all kinds of operations, and returns the number of failed writes.
  private func exercise(_ log: SegmentLog, from first: Int, _ oracle: inout Oracle) -> Int {
    var failed = 0
    for version in first..<(first + 18) {
      clock.withLock { $0 += 4 }
      let key = version % 5 == 0 ? "a" : keys[version % 3 + 1]
      let value = Stamp(key: key, version: version).value(length: 2_000 + version % 7 * 900)
      let isWritten = (try? log.set(value, for: key)) != nil
      if !isWritten { failed += 1 }
      oracle.wrote(key, version, isWritten)
      for key in ["a", key] { oracle.check(key, log.value(key)) }
      if version % 6 == 5 {
        if (try? log.remove("b")) != nil { oracle.allowed["b"] = [] } else { failed += 1 }
        oracle.check("b", log.value("b"))
      }
    }
    if (try? log.removeAll()) != nil { oracle.allowed = [:] } else { failed += 1 }
    for key in keys { oracle.check(key, log.value(key)) }
    let isWritten = (try? log.set(Stamp(key: "c", version: 999).value(), for: "c")) != nil
    oracle.wrote("c", 999, isWritten)
    return failed + (isWritten ? 0 : 1)
  }

  /// Runs the operations with a fault, and then runs them again on the same log without the fault.
  /// Then opens another log in the same directory and checks its values. Returns whether the fault
  /// occurred.
  private func run(_ faulty: FaultyFileSystem, _ what: String) -> Bool {
    try? FileManager.default.removeItem(atPath: folder)
    var oracle = Oracle()
    do {
      let log = log(capacity: capacity, files: ticking(faulty.files))
      _ = exercise(log, from: 0, &oracle)
      faulty.setFault { _, _ in nil }
      clock.withLock { $0 += 2_000 }
      for key in keys { oracle.check(key, log.value(key)) }
      XCTAssertEqual(exercise(log, from: 100, &oracle), 0, "dead after " + what)
      XCTAssertEqual(log.value("c").flatMap(Stamp.init)?.version, 999, what)
    }
    XCTAssertEqual(faulty.openDescriptors, [], what)
    let fresh = log(capacity: capacity, files: ticking(.system))
    for key in keys { oracle.check(key, fresh.value(key)) }
    XCTAssertEqual(fresh.value("c").flatMap(Stamp.init)?.version, 999, what)
    XCTAssertLessThanOrEqual(usedBytes(), capacity, what)
    XCTAssertEqual(oracle.lies, [], what)
    return faulty.fired > 0
  }

  private func runAll(_ code: Int32, forEver: Bool, shortened: Int? = nil, by stride: Int = 1) {
    var n = 1
    var failures = 0
    while true {
      let faulty = FaultyFileSystem.failing(n, forEver: forEver, with: code)
      faulty.shortened.withLock { $0 = shortened }
      guard run(faulty, "call \(n), \(code), \(forEver), \(shortened ?? -1)") else { break }
      failures += faulty.fired
      n += isLong ? 1 : stride
    }
    XCTAssertGreaterThan(n, 200)
  }

  func testOneCallFails() {
    runAll(EIO, forEver: false, by: 3)
    runAll(ENOSPC, forEver: false, by: 5)
    runAll(EMFILE, forEver: false, by: 7)
  }

  func testAllCallsFailAfterOne() {
    runAll(EIO, forEver: true, by: 11)
    runAll(ENOSPC, forEver: true, by: 11)
    runAll(EMFILE, forEver: true, by: 13)
  }

  func testOneAppendIsShort() {
    for shortened in [1, 63, 64, 100] {
      runAll(ENOSPC, forEver: false, shortened: shortened, by: 17)
    }
  }

  func testAllAppendsAreShortAfterOne() {
    runAll(ENOSPC, forEver: true, shortened: 70, by: 19)
  }
}
