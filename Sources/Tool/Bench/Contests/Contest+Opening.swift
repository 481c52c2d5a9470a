import Foundation
import Strata

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Contest {
  /// The first use of a folder that another process has filled, and what it takes of memory.
  static let opening = Contest(group: .disk, title: title) { rounds, scale in
    let count = scale.entries(100_000)
    let shelf = try FullFolder(count)
    let rounds = 0..<min(rounds, 9)
    let warm = try rounds.map { _ in try shelf.open() }
    let memory = try await Heap.count { try shelf.keepOpen() }
    shelf.letGo()
    let cold = try rounds.compactMap { _ in try shelf.dropPages() ? try shelf.open() : nil }
    try shelf.destroyTables()
    let scan = try rounds.map { _ in try shelf.open() }
    let bytes = memory.map { Double($0.growth) / Double(count) }
    return [
      Row(title, "by the tables", .time, warm, over: warm, bounds: (50e6, 20e6)),
      Row(
        title, "by all records, each sum checked", .time, scan, over: warm, bounds: (150e6, 60e6)),
      Row(title, "by the tables, from the device", .time, cold, over: warm, bounds: (300e6, 60e6)),
      Row(title, "memory of a record", .bytes, [bytes ?? .nan], bounds: (48, 40)),
    ].compactMap { $0 }
  }

  private static let title = "opening, 100,000 records of 1 KiB"
}

/// A folder of records that nobody has open.
private final class FullFolder {
  private let directory: TemporaryDirectory
  private let count: Int
  private var kept: DiskStorage?

  init(_ count: Int) throws {
    directory = try TemporaryDirectory()
    self.count = count
    let cache: Cache<String, Data> = .disk(storage: storage)
    let value = Data(count: 1_024)
    for number in 0..<count {
      if case .failure(let error) = cache.set(String.numbered(number), value).outcome {
        throw error
      }
    }
  }

  deinit { directory.remove() }

  /// An engine goes with the last who uses it, so that each of these is opened anew.
  private var storage: DiskStorage {
    DiskStorage("full", in: directory.url, capacity: 256 << 20)
  }

  /// Opens, and returns how many nanoseconds that took.
  func open() throws -> Double {
    let (records, time) = Latencies.timing { storage.statistics.records }
    guard records == count else { throw FileFault("\(records) of \(count) records were found") }
    return time
  }

  func keepOpen() throws {
    kept = storage
    guard kept?.statistics.records == count else { throw FileFault("records are missing") }
  }

  func letGo() { kept = nil }

  private func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: directory.url.appendingPathComponent("full"), includingPropertiesForKeys: nil
    ).sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// Asks the system to keep nothing of the files in memory; false where there is no such call.
  func dropPages() throws -> Bool {
    #if os(Linux)
      for file in try files() {
        let handle = try FileHandle(forReadingFrom: file)
        fsync(handle.fileDescriptor)
        guard posix_fadvise(handle.fileDescriptor, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
          return false
        }
      }
      return true
    #else
      return false
    #endif
  }

  /// Overwrites what leads to the table of each segment; the last one has none.
  func destroyTables() throws {
    for file in try files().dropLast() {
      let handle = try FileHandle(forWritingTo: file)
      try handle.seek(toOffset: try handle.seekToEnd() - 8)
      try handle.write(contentsOf: Data(repeating: 0xff, count: 8))
      try handle.close()
    }
  }
}
