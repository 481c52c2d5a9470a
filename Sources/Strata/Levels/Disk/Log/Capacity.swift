/// The capacity of a log, and the sizes that follow from it.
struct Capacity {
  /// The capacity as the caller passed it.
  let bytes: Int
  /// The greatest length of a file that this process may write.
  private let longestFile: Int
  /// Segments up to this length are evicted in less than a millisecond, on the caller's thread.
  private let shortSegment: Int

  init(_ bytes: Int, longestFile: Int = .max, shortSegment: Int = 1 << 20) {
    (self.bytes, self.longestFile) = (max(0, bytes), longestFile)
    self.shortSegment = shortSegment
  }

  /// The enforced limit. Even an empty log needs a few bytes. The index supports at most 128 GiB.
  var limit: Int { min(max(bytes, 4 << 10), 128 << 30) }
  /// The length at which a segment is sealed.
  var segment: Int {
    let length = min(max(64 << 10, min(limit / 16, 64 << 20), limit / 64), limit / 4)
    // A seal must fit below the process's limit.
    return min(length, longestFile / 2)
  }
  /// The space beyond the active segment that is freed in the background, or 0 for short segments.
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

  /// Whether all segments together exceed the limit. The active segment counts with its full
  /// length, or with its length after this record, whichever is greater.
  func isOverfull(with length: Int = 0) -> Bool {
    let room = max(capacity.segment, index.activeSize + length + sealLength)
    return index.sealedBytes + room > capacity.limit
      && (index.order.count > 1 || isFull(for: length))
  }

  /// Whether the background should free space, because there is no room for another segment and the
  /// active segment is half full. Until then, values in the oldest segment stay available.
  var needsTrim: Bool {
    index.activeSize >= capacity.segment / 2
      && index.sealedBytes + capacity.segment + capacity.spare > capacity.limit || isOverfull()
  }
}
