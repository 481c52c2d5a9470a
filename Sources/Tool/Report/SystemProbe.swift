import Foundation
import Strata

/// A probe that tests one behavior of the operating system.
struct SystemProbe: Sendable {
  let subject: String
  /// A closure that returns the result of the probe, or throws an error if the library can't work
  /// with the result.
  let run: @Sendable (_ directory: URL) throws -> String

  static let all = [
    appending, unlinking, locking, flushing, forbidding, forms, cases, ticking, storing,
    remembering,
    warning,
  ]

  private static let appending = SystemProbe(subject: "`O_APPEND` after `lseek`") { directory in
    let file = try File(directory, "append")
    defer { file.close() }
    try file.append("ab")
    lseek(file.descriptor, 0, SEEK_SET)
    try file.append("c")
    try expect(try file.text(), "abc")
    try expect(Int(lseek(file.descriptor, 0, SEEK_CUR)), 3)
    return "appends, and moves the position to the new end"
  }

  private static let unlinking = SystemProbe(subject: "an open file without a name") { directory in
    let file = try File(directory, "unlink")
    defer { file.close() }
    try file.append("ab")
    guard unlink(file.path) == 0 else { throw SystemError("unlink failed") }
    try file.append("c")
    try expect(try file.text(), "abc")
    return "can be read and written"
  }

  private static let locking = SystemProbe(subject: "`flock` of one file twice") { directory in
    let (one, other) = (try File(directory, "lock"), try File(directory, "lock"))
    defer { other.close() }
    guard flock(one.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw SystemError("no lock") }
    let isSecond = flock(other.descriptor, LOCK_EX | LOCK_NB) == 0
    let code = errno
    one.close()
    guard !isSecond, code == EWOULDBLOCK else {
      throw ReportFault("the lock doesn't exclude other processes")
    }
    guard flock(other.descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw SystemError("a closed file keeps its lock")
    }
    return "the second waits until the first is closed"
  }

  private static let flushing = SystemProbe(subject: "flush of 1 KiB to the device") { directory in
    let file = try File(directory, "flush")
    defer { file.close() }
    let times = try (0..<10).map { _ in
      try file.append(String(repeating: "x", count: 1_024))
      let start = ContinuousClock.now
      guard FileCalls.synchronize(file.descriptor) == 0 else { throw SystemError("no flush") }
      return start.duration(to: .now)
    }
    return "\(times.sorted()[5]) (median of 10)"
  }

  private static let forbidding = SystemProbe(subject: "a file in a read-only directory") {
    root in
    let directory = root.appendingPathComponent("forbidden")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    chmod(directory.path, 0o500)
    defer { chmod(directory.path, 0o700) }
    do {
      try File(directory, "a").close()
      return "created, because the user has all permissions"
    } catch { return "refused: \(error)" }
  }

  private static let forms = SystemProbe(subject: "names in two normal forms") { directory in
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try File(directory, decomposed).close()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    let kept = names.contains { Array($0.utf8) == Array(decomposed.utf8) }
    let path = directory.path + "/" + composed
    let isSame = access(path, R_OK) == 0
    return "\(kept ? "kept" : "changed") as written, and \(isSame ? "one file" : "two files")"
  }

  private static let cases = SystemProbe(subject: "names in two cases") { directory in
    try File(directory, "case").close()
    return access(directory.path + "/CASE", R_OK) == 0 ? "one file" : "two files"
  }

  private static let ticking = SystemProbe(subject: "the library's clock") { _ in
    let clock = TimeSource.system
    let start = clock.now()
    var next = start
    while next <= start { next = clock.now() }
    return "advances by \(start.duration(to: next))"
  }

  private static let storing = SystemProbe(subject: "the disk level") { directory in
    let disk: Cache<String, Data> = .disk("report", in: directory, offMainThread: false)
    return try roundTrip(disk)
  }

  private static let remembering = SystemProbe(subject: "the user defaults level") { _ in
    let name = "strata-report-\(UUID().uuidString.lowercased())"
    let defaults: Cache<String, Data> = .userDefaults(suite: name)
    defer { _ = defaults.clear() }
    return try roundTrip(defaults)
  }

  private static let warning = SystemProbe(subject: "memory warnings") { _ in
    let memory: Cache<String, Data> = .memory()
    do {
      try memory.listenToMemoryWarnings(from: .system).cancel()
      return "available"
    } catch { return "\(error)" }
  }

  private static func roundTrip(_ cache: Cache<String, Data>) throws -> String {
    for key in ["", "a/b", "caf\u{E9}", String(repeating: "long", count: 500)] {
      let value = Data(key.utf8)
      if case .failure(let error)? = cache.set(key, value).outcome { throw error }
      guard cache.get(key).outcome?.value == value else {
        throw ReportFault("the key '\(key.prefix(20))' isn't found")
      }
    }
    _ = cache.clear()
    guard cache.get("a/b").outcome?.error?.isMiss == true else {
      throw ReportFault("a value is left after removeAll")
    }
    return "stores, finds, and clears"
  }

  private static func expect<Value: Equatable>(_ found: Value, _ wanted: Value) throws {
    guard found == wanted else { throw ReportFault("found \(found) instead of \(wanted)") }
  }
}

/// An error that a probe throws if the system or a level doesn't behave as the library expects.
struct ReportFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A file that is open for reading and appending.
private struct File {
  let path: String
  let descriptor: Int32

  init(_ directory: URL, _ name: String) throws {
    path = directory.path + "/" + name
    descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SystemError("\(name) can't be opened") }
  }

  func append(_ text: String) throws {
    let count = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count == text.utf8.count else { throw SystemError("the write is short") }
  }

  func text() throws -> String {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0 else { throw SystemError("the file can't be read") }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  func close() { closeFile(descriptor) }
}

// This function is outside the type, because a method of the type has the name `close`.
private func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
