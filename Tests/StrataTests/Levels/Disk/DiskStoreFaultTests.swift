import XCTest

@testable import Strata

/// Makes the n-th call fail, for every n until no call is left to fail, and checks every answer.
final class DiskStoreFaultTests: DiskTestCase {
  /// What may be read: for each key the versions that are no lie. A miss never is.
  private struct Oracle {
    var allowed: [String: Set<Int>] = [:]
    var lies: [String] = []

    mutating func check(_ key: String, _ value: Data?) {
      guard let value else { return }
      guard let stamp = Stamp(value), stamp.key == key,
        allowed[key, default: []].contains(stamp.version)
      else { return lies.append("\(key): \(String(decoding: value.prefix(20), as: UTF8.self))") }
    }

    /// After a failure either outcome is legal, the old one or the new.
    mutating func wrote(_ key: String, _ version: Int, _ succeeded: Bool) {
      allowed[key] = succeeded ? [version] : allowed[key, default: []].union([version])
    }
  }

  private let keys = ["a", "b", "c"]
  private let capacity = 1_000
  /// Hashed once, since in a debug build that costs more than the calls.
  private static let fileNames = ["a", "b", "c"].reduce(into: [:]) {
    $0[$1] = DiskNames.record(for: $1)
  }

  private func small(files: FileSystem) -> DiskStore {
    store(capacity: capacity, files: files) { Self.fileNames[$0] ?? DiskNames.record(for: $0) }
  }

  /// Sets, overwrites, evicts, reads, removes and clears; returns how many writes succeeded.
  private func exercise(_ store: DiskStore, _ oracle: inout Oracle) -> Int {
    var succeeded = 0
    for (version, key) in ["a", "b", "a", "c", "b"].enumerated() {
      let value = Stamp(key: key, version: version).value(length: 250 + version * 40)
      let isWritten = (try? store.write(value, for: key)) != nil
      if isWritten { succeeded += 1 }
      oracle.wrote(key, version, isWritten)
      oracle.check(key, store.read(key))
    }
    if (try? store.remove("b")) != nil { oracle.allowed["b"] = [] }
    for key in keys { oracle.check(key, store.read(key)) }
    if (try? store.removeAll()) != nil { oracle.allowed = [:] }
    for key in keys { oracle.check(key, store.read(key)) }
    let isWritten = (try? store.write(Stamp(key: "a", version: 9).value(), for: "a")) != nil
    oracle.wrote("a", 9, isWritten)
    return succeeded + (isWritten ? 1 : 0)
  }

  /// Runs once with a fault; returns whether it fired.
  private func run(_ faulty: FaultyFileSystem, _ what: String) -> Bool {
    try? FileManager.default.removeItem(atPath: folder)
    var oracle = Oracle()
    _ = exercise(small(files: faulty.files), &oracle)
    XCTAssertEqual(faulty.openDescriptors, [], what)
    // What is left must be sound for a store that opens it, and must be of use to it.
    let healed = small(files: .system)
    for key in keys { oracle.check(key, healed.read(key)) }
    XCTAssertEqual(names().filter { !DiskNames.isRecord($0) }, [], what)
    XCTAssertLessThanOrEqual(usedBytes(), capacity, what)
    XCTAssertEqual(exercise(healed, &oracle), 6, what)
    XCTAssertEqual(oracle.lies, [], what)
    return faulty.fired > 0
  }

  private func runAll(_ code: Int32, forEver: Bool) {
    var n = 1
    while run(.failing(n, forEver: forEver, with: code), "call \(n), \(code)") { n += 1 }
    XCTAssertGreaterThan(n, 80)
  }

  func testOneCallFails() {
    runAll(EIO, forEver: false)
    runAll(ENOSPC, forEver: false)
  }

  func testAllCallsFailFromOneOn() {
    runAll(EIO, forEver: true)
    runAll(ENOSPC, forEver: true)
  }

  func testShortReadsAndWritesAreContinued() throws {
    let short = FaultyFileSystem(shortens: true)
    let store = store(files: short.files)
    let value = Stamp(key: "a", version: 1).value(length: 5_000)
    try store.write(value, for: "a")
    XCTAssertEqual(store.read("a"), value)
    XCTAssertGreaterThan(short.calls.filter { $0 == "write" }.count, 10)
  }

  func testAFileThatTakesNothingIsFullAndNotTriedForEver() {
    var files = FileSystem.system
    files.write = { _, _ in 0 }
    let length = 48 + 1 + 1
    XCTAssertThrowsError(try store(files: files).write(Data([1]), for: "a")) {
      XCTAssertEqual($0 as? DiskError, .full(directory: folder, bytes: length))
    }
    XCTAssertEqual(names(), [])
  }

  func testAFullVolumeGetsRoomFromOldRecords() throws {
    let faulty = FaultyFileSystem()
    let store = store(capacity: 100_000, files: faulty.files)
    for index in 0..<8 { try store.write(Data(count: 1_000), for: "\(index)") }
    let failures = Lock(1)
    faulty.setFault { _, operation in
      guard operation == "write" else { return nil }
      return failures.withLock { $0.countDown() } ? ENOSPC : nil
    }
    XCTAssertEqual(try store.write(Data(count: 1_000), for: "new"), 4)
    XCTAssertEqual((0..<8).filter { store.read("\($0)") != nil }, [4, 5, 6, 7])
    XCTAssertNotNil(store.read("new"))
  }

  func testAVolumeThatStaysFullIsAnErrorWithoutLeftOvers() throws {
    let faulty = FaultyFileSystem()
    let store = store(capacity: 100_000, files: faulty.files)
    for index in 0..<8 { try store.write(Data(count: 1_000), for: "\(index)") }
    for code in [ENOSPC, EDQUOT] {
      faulty.setFault { $1 == "write" ? code : nil }
      XCTAssertThrowsError(try store.write(Data(count: 1_000), for: "new")) {
        XCTAssertEqual($0 as? DiskError, .full(directory: folder, bytes: 48 + 3 + 1_000))
      }
    }
    XCTAssertEqual(names().filter { !DiskNames.isRecord($0) }, [])
    faulty.setFault { _, _ in nil }
    try store.write(Data([1]), for: "new")
    XCTAssertEqual(store.read("new"), Data([1]))
  }

  func testAFailedWriteForgetsTheOlderValue() throws {
    let faulty = FaultyFileSystem()
    let store = store(files: faulty.files)
    for operation in ["create", "write", "rename", "close"] {
      try store.write(Data([1]), for: "a")
      let left = Lock(1)
      faulty.setFault { _, called in
        guard called == operation else { return nil }
        return left.withLock { $0.countDown() } ? EIO : nil
      }
      XCTAssertThrowsError(try store.write(Data([2]), for: "a"), operation)
      XCTAssertNil(store.read("a"), operation)
      faulty.setFault { _, _ in nil }
    }
  }
}
