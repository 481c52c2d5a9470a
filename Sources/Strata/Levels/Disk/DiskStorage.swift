import Foundation

/// What lies beneath a disk level: a folder, how much it may hold, and what has happened in it.
///
/// A name for the same folder twice is the same storage: all of a process share one engine, and
/// those who ask for different capacities the smallest. Nothing is opened before it is used.
///
///     let storage = DiskStorage("pages", capacity: 500_000_000)
///     let pages: Cache<String, Data> = .disk(storage: storage)
///     try storage.setCapacity(50_000_000)  // space is short
///
/// Safe to use from any thread.
public struct DiskStorage: Sendable {
  let log: SegmentLog

  /// Names a folder; the level over it is made by ``Cache/disk(storage:)``.
  ///
  /// - Parameters:
  ///   - name: The folder's name; any string, none leads out of `directory`.
  ///   - directory: Where the folder is made; `Strata` in the user's caches directory unless told
  ///     otherwise.
  ///   - capacity: In bytes, 100 MB unless told otherwise.
  ///   - flushesFullSegments: Whether a part of the log that is full, a sixteenth of the capacity,
  ///     is written through to the device, in the background. Then a power cut undoes no more than
  ///     the part that was being filled; otherwise whatever the system had not yet written by
  ///     itself, about 30 seconds' worth.
  public init(
    _ name: String = "default", in directory: URL? = nil, capacity: Int = 100_000_000,
    flushesFullSegments: Bool = false
  ) {
    log = SegmentLogs.at(
      DiskFolder.path(forLevel: name, in: directory), capacity: capacity,
      isFlushing: flushesFullSegments)
  }

  /// How many bytes it may hold.
  public var capacity: Int { log.state.withLock { $0.capacity.bytes } }

  /// Changes how many bytes it may hold, for all who use the folder in this process, and removes at
  /// once what is too much, the oldest first. What the plan of a cache says of its capacity stays
  /// as it was.
  ///
  /// - Throws: ``DiskError`` if the folder cannot be used; the capacity is changed all the same.
  public func setCapacity(_ bytes: Int) throws { try log.setCapacity(bytes) }

  /// What it holds, and what this process has done with it.
  public var statistics: DiskStatistics {
    log.bringUpToDate()
    return log.state.withLock { DiskStatistics($0) }
  }
}

/// What a ``DiskStorage`` holds, and what this process has done with it.
public struct DiskStatistics: Equatable, Sendable {
  /// The bytes of all files, what is out of date in them included.
  public var bytes: Int
  /// The keys that have a value, expired ones included.
  public var records: Int
  /// The files.
  public var segments: Int
  /// Gets that found a value.
  public var hits: Int
  /// Gets that found none.
  public var misses: Int
  /// Values that went to make room.
  public var evictions: Int
  /// Bytes written for each byte that was set, 1 at best: what was kept for having been read is
  /// written again. 0 if nothing was set.
  public var writeAmplification: Double
}

extension DiskStatistics {
  init(_ state: SegmentLog.State) {
    let active = state.index.active.map { state.index.books[$0]!.size } ?? 0
    bytes = state.index.sealedBytes + active
    (records, segments) = (state.index.live, state.index.order.count)
    (hits, misses) = (state.counts.hits, state.counts.misses)
    evictions = state.counts.evictions
    writeAmplification =
      state.counts.setBytes == 0
      ? 0 : Double(state.counts.allBytes) / Double(state.counts.setBytes)
  }
}
