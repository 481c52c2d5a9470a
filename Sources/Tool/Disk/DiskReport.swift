import Foundation
import Strata

/// The output of the command `disk`.
struct DiskReport {
  let options: DiskOptions
  let console: Console

  /// A directory that can't be inspected.
  struct NotALevel: Error, CustomStringConvertible {
    let path: String

    var description: String {
      "\(path.printable) isn't the directory of a disk level: it contains no *.strata2 files. "
        + "A level named \"articles\" is in ~/.cache/Strata/articles."
    }
  }

  func run() async throws -> ExitStatus {
    // Opening a storage would create a missing directory, so this checks that the level exists.
    guard DiskStorage.exists(at: options.path) else { throw NotALevel(path: options.path) }
    let storage = DiskStorage(existing: options.path)
    switch options.action {
    case .size: try size(storage)
    case .list: try list(storage)
    case .check: return try check(storage)
    case .expire:
      let before = storage.statistics.bytes
      let count = try storage.removeExpired()
      let freed = max(0, before - storage.statistics.bytes)
      try console.print("\(count) expired values removed, \(freed) bytes freed")
    case .remove(let key): return try await remove(key, storage)
    }
    return .success
  }

  private func size(_ storage: DiskStorage) throws {
    let entries = try storage.entries()
    let statistics = storage.statistics
    let bytes = entries.reduce(0) { $0 + $1.bytes }
    try console.print(
      """
      values   \(entries.count), with \(bytes) bytes
      expired  \(max(0, statistics.records - entries.count))
      files    \(statistics.segments), with \(statistics.bytes) bytes
      """)
  }

  private func list(_ storage: DiskStorage) throws {
    let now = TimeSource.system.now()
    let table = TextTable(
      columns: [
        .init(title: "bytes", width: 12, isNumber: true), .init(title: "age", width: 10),
        .init(title: "left", width: 10), .init(title: "key", width: 4_096),
      ], isColored: console.isColored)
    try console.print(table.header)
    for entry in try storage.entries() {
      let left = entry.expiresAt.map { Self.text(now.duration(to: $0)) } ?? "-"
      try console.print(
        table.row([
          .init("\(entry.bytes)"), .init(Self.text(entry.storedAt.duration(to: now))), .init(left),
          .init(Self.shown(entry.key)),
        ]))
    }
  }

  private func check(_ storage: DiskStorage) throws -> ExitStatus {
    let check = try storage.check()
    try console.print(
      "\(check.intact) values are intact, with \(check.bytes) bytes. \(check.damaged) are damaged.")
    return check.damaged == 0 ? .success : .failure
  }

  private func remove(_ key: String, _ storage: DiskStorage) async throws -> ExitStatus {
    let cache = Cache<String, Data>.disk(storage, offMainThread: false)
    guard try await cache.findValue(for: key) != nil else {
      try console.print("the key \(Self.shown(key)) has no value")
      return .failure
    }
    try await cache.removeValue(for: key)
    try console.print("removed \(Self.shown(key))")
    return .success
  }

  /// A duration as text, in the largest suitable unit.
  static func text(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    return switch abs(seconds) {
    case ..<120: "\(seconds) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// A key as text to print, with escapes for characters that would control the terminal.
  static func shown(_ key: String) -> String {
    key.unicodeScalars.map { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
      default: String(scalar)
      }
    }.joined()
  }
}
