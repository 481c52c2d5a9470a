/// The capacity of a log, and the sizes that are computed from it.
struct Capacity {
  /// The capacity as the caller passed it.
  let bytes: Int
  /// The maximum length of a file that this process may write.
  private let longestFile: Int
  /// The maximum length of a segment that is evicted on the caller's thread. An eviction of such a
  /// segment takes less than a millisecond.
  private let shortSegment: Int

  init(_ bytes: Int, longestFile: Int = .max, shortSegment: Int = 1 << 20) {
    (self.bytes, self.longestFile) = (max(0, bytes), longestFile)
    self.shortSegment = shortSegment
  }

  /// The enforced limit: at least 4 KiB, because even an empty log takes some bytes, and at most
  /// 128 GiB, the most that the index supports.
  var limit: Int { min(max(bytes, 4 << 10), 128 << 30) }
  /// The length at which a segment is sealed.
  var segment: Int {
    let length = min(max(64 << 10, min(limit / 16, 64 << 20), limit / 64), limit / 4)
    // Leaves space for a seal below the process's maximum file length.
    return min(length, longestFile / 2)
  }
  /// The space to free in the background, in addition to the active segment. Zero if segments are
  /// short.
  var spare: Int { segment > shortSegment ? min(segment, limit / 16) : 0 }
  var longestRecord: Int { min(bytes / 2, RecordHeader.longest, longestFile / 2) }
}

extension LogState {
  /// Whether the active segment has no space for a record and its entry in the table.
  func isFull(for length: Int) -> Bool {
    let size = index.activeSize
    return size > RecordHeader.overhead
      && (size + length + sealLength > capacity.segment
        || index.activeEntries >= Table.mostEntries / 2)
  }

  private var sealLength: Int {
    RecordHeader.overhead + 8 + Entry.size * (index.activeEntries + 1)
  }

  /// Whether all segments together exceed the limit.
  ///
  /// For the active segment, counts the length at which it's sealed, or its length after a record
  /// of the given length, whichever is greater.
  func isOverfull(with length: Int = 0) -> Bool {
    let room = max(capacity.segment, index.activeSize + length + sealLength)
    return index.sealedBytes + room > capacity.limit
      && (index.order.count > 1 || isFull(for: length))
  }

  /// Whether to free space in the background.
  ///
  /// This is the case if the active segment is half full and there is no room for another segment,
  /// or if the log exceeds its limit.
  var needsTrim: Bool {
    index.activeSize >= capacity.segment / 2
      && index.sealedBytes + capacity.segment + capacity.spare > capacity.limit || isOverfull()
  }
}
