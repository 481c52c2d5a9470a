import Foundation

/// The storage of a disk level: a directory with a capacity and statistics.
///
/// In one process, all `DiskStorage` values for a directory share a log. Its capacity is the
/// largest that any of them requests, until you call `setCapacity`. An option is on if any of them
/// enables it. If several processes use the directory, the largest of their capacities limits its
/// size.
///
///     let storage = DiskStorage("pages", capacity: 500_000_000)
///     let pages: Cache<String, Data> = .disk(storage)
///     try storage.setCapacity(50_000_000)  // free some space
///
/// You can use a storage from any thread. Its functions run on the caller's thread.
public struct DiskStorage: Sendable {
  let log: SegmentLog

  /// Creates a storage. ``Cache/disk(_:offMainThread:)`` creates its level.
  ///
  /// - Parameters:
  ///   - name: The directory's name. Any string is valid, and the path stays inside `directory`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory.
  ///   - capacity: The capacity in bytes. By default, it's 100 MB.
  ///   - flushesFullSegments: Whether to flush each full segment to the device in the background.
  ///     If so, a power failure can destroy only segments that aren't flushed yet, usually only the
  ///     newest. If the capacity is from 1 MiB to 1 GiB, a segment is a sixteenth of it. Without
  ///     flushing, a power failure can destroy the writes of about the last 30 seconds. The default
  ///     is `false`.
  ///   - isSingleProcess: Whether this process is the only one that uses the directory. If so, gets
  ///     don't check for writes by other processes. But while another process has the directory
  ///     open, gets miss and writes fail. On iOS, tvOS, watchOS, and visionOS, a process that
  ///     passes `true` doesn't detect one that has passed `false`. The default is `false`.
  @inline(never)
  public init(
    _ name: String, in directory: URL? = nil, capacity: Int = 100_000_000,
    flushesFullSegments: Bool = false, isSingleProcess: Bool = false
  ) {
    log = SegmentLogs.at(
      DirectoryPath.of(name, in: directory), capacity: capacity,
      isFlushing: flushesFullSegments, isExclusive: isSingleProcess)
  }

  /// Creates a storage for an existing directory, such as the path on a command line. Its capacity
  /// is the largest possible, so it doesn't cause evictions.
  package init(existing path: String) { log = SegmentLogs.at(path, capacity: 128 << 30) }

  /// Whether a directory contains the files of a disk level.
  package static func exists(at path: String) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.contains { SegmentName.id($0) != nil }
  }

  /// Opens the directory, and creates it if necessary. If you don't call this function, the first
  /// operation does so.
  ///
  /// - Throws: ``DiskError`` if the directory can't be used, for example because another process
  ///   uses the directory exclusively.
  public func open() throws { try log.open() }

  /// The path of the directory.
  package var path: String { log.path }

  /// The capacity in bytes.
  public var capacity: Int { log.state.withLock { $0.capacity.bytes } }

  /// Changes the capacity of all `DiskStorage` values that use the directory in this process.
  ///
  /// Before this function returns, it evicts the oldest values until the rest fits. When another
  /// live process requests a larger capacity, that one is the limit. Plans still show the original
  /// capacity.
  ///
  /// - Throws: ``DiskError`` if the directory can't be used. The capacity changes even if the
  ///   function throws.
  public func setCapacity(_ bytes: Int) throws { try log.setCapacity(bytes) }

  /// The size of the storage, and counts of this process's operations on it.
  public var statistics: DiskStatistics { log.statistics }
}

extension SegmentLog {
  fileprivate var statistics: DiskStatistics {
    try? refresh()
    finish(mayTrim: false)
    return state.withLock { state in
      let (index, counts) = (state.index, state.counts)
      return DiskStatistics(
        bytes: index.sealedBytes + index.activeSize, records: index.live,
        segments: index.order.count, hits: counts.hits, misses: counts.misses,
        evictions: counts.evictions,
        writeAmplification: counts.setBytes == 0
          ? 0 : Double(counts.allBytes) / Double(counts.setBytes))
    }
  }

  /// The size of all files, and the number of values.
  var gauges: [CacheGauge] {
    let statistics = statistics
    return [
      CacheGauge("bytes", statistics.bytes, of: state.withLock { $0.capacity.bytes }),
      CacheGauge("values", statistics.records),
    ]
  }
}

/// The size of a ``DiskStorage``, and counts of this process's operations on it.
public struct DiskStatistics: Equatable, Sendable {
  /// The total size of all files in bytes, including outdated records.
  public var bytes: Int
  /// The number of keys with a value, including expired values.
  public var records: Int
  /// The number of files.
  public var segments: Int
  /// The number of gets that found a value.
  public var hits: Int
  /// The number of gets that found no value.
  public var misses: Int
  /// The number of values that were evicted to free space.
  public var evictions: Int
  /// The number of bytes written to files for each byte that a `set` stores. It's 0 before the
  /// first `set`, and at least 1 after it. Evictions increase this number, because they copy some
  /// values.
  public var writeAmplification: Double
}
