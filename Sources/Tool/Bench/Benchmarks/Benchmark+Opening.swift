import Foundation
import Strata

extension Benchmark {
  /// The time and memory that the disk level needs to open a directory with many records.
  static let opening = Benchmark(group: .disk, title: title) { rounds, scale in
    let count = scale.entries(100_000)
    let shelf = try FullDirectory(count)
    let rounds = 0..<min(rounds, 9)
    let warm = try rounds.map { _ in try shelf.open() }
    let memory = try await Heap.count { try shelf.keepOpen() }
    shelf.close()
    let cold = try rounds.compactMap { _ in try shelf.dropPages() ? try shelf.open() : nil }
    let bytes = memory.map { Double($0.growth) / Double(count) }
    return [
      Row(title, "from the tables", .time, warm, over: warm, bounds: (50e6, 20e6)),
      Row(title, "from the tables, uncached", .time, cold, over: warm, bounds: (300e6, 60e6)),
      Row(title, "memory of a record", .bytes, [bytes ?? .nan], bounds: (48, 40)),
    ].compactMap { $0 }
  }

  private static let title = "opening, 100,000 records of 1 KiB"
}

/// A directory with many records, which the benchmark opens and closes repeatedly.
private final class FullDirectory {
  private let directory: TemporaryDirectory
  private let count: Int
  private var kept: DiskStorage?

  init(_ count: Int) throws {
    directory = try TemporaryDirectory()
    self.count = count
    let cache: Cache<String, Data> = .disk(storage, offMainThread: false)
    let value = Data(count: 1_024)
    for number in 0..<count {
      if case .failure(let error) = cache.set(String.numbered(number), value).outcome {
        throw error
      }
    }
  }

  deinit { directory.remove() }

  /// A new storage, which closes when it's released. So each iteration of the benchmark opens the
  /// directory again.
  private var storage: DiskStorage {
    DiskStorage("full", in: directory.url, capacity: 256 << 20)
  }

  /// Opens the directory and returns the duration in nanoseconds.
  func open() throws -> Double {
    let (records, time) = OperationTimes.timing { storage.statistics.records }
    guard records == count else { throw FileFault("\(records) of \(count) records were found") }
    return time
  }

  func keepOpen() throws {
    kept = storage
    guard kept?.statistics.records == count else { throw FileFault("records are missing") }
  }

  func close() { kept = nil }

  /// Returns the segment files, from the oldest to the newest, without the lock files in the same
  /// directory.
  private func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: directory.url.appendingPathComponent("full"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension.hasPrefix("strata") }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// Drops the files from the page cache. Returns `false` if the system doesn't support this
  /// operation.
  func dropPages() throws -> Bool {
    try files().allSatisfy { try PageCache.drop(FileHandle(forReadingFrom: $0)) }
  }
}
