/// The capacity of a log, and the limits that the log computes from the capacity.
struct Capacity {
  /// The capacity in bytes that the caller has requested, or zero if it was negative.
  let bytes: Int
  /// The largest capacity that another process requests for the directory, or zero if there is
  /// none.
  var shared = 0
  /// The number of bytes that the log can take on its volume.
  var room = Int.max
  /// The length of the longest file that the system lets this process write.
  private let longestFile: Int
  /// The maximum length of a short segment, which a caller's thread can evict in under 1 ms.
  private let shortSegment: Int

  init(_ bytes: Int, longestFile: Int = .max, shortSegment: Int = 1 << 20) {
    (self.bytes, self.longestFile, self.shortSegment) = (max(0, bytes), longestFile, shortSegment)
  }

  /// The enforced capacity. It's at least 4 KiB, because even an empty log takes some bytes, and at
  /// most 128 GiB, because the index doesn't support more. It never exceeds `room`, which matters
  /// on a small or full volume. But `room` counts as at least 16 KiB, because files take whole
  /// blocks.
  var limit: Int { min(max(bytes, shared, 4 << 10), 128 << 30, max(room, 16 << 10)) }
  /// The length at which the log seals a segment and creates the next one.
  var segment: Int {
    let length = min(max(64 << 10, min(limit / 16, 64 << 20), limit / 64), limit / 4)
    // Half of the maximum file length remains free for the seal, which is the segment's last
    // record.
    return min(length, longestFile / 2)
  }
  /// The space that background work keeps free in addition to one segment. For short segments, it's
  /// zero.
  var spare: Int { segment > shortSegment ? min(segment, limit / 16) : 0 }
  var longestRecord: Int { min(bytes / 2, RecordHeader.longest, longestFile / 2) }
}

extension LogState {
  /// Whether the active segment is too full for a record of this length and the seal after it.
  func isFull(for length: Int) -> Bool {
    let size = index.activeSize
    return size > RecordHeader.overhead
      && (size + length + sealLength > capacity.segment
        || index.activeEntries >= Table.mostEntries / 2)
  }

  private var sealLength: Int { RecordHeader.overhead + 8 + Entry.size * (index.activeEntries + 1) }

  /// Whether the log would exceed its limit if the active segment were full. A full segment has
  /// `capacity.segment` bytes, or more if it couldn't otherwise hold a record of `length` bytes and
  /// a seal.
  func isOverfull(with length: Int = 0) -> Bool {
    let room = max(capacity.segment, index.activeSize + length + sealLength)
    return index.sealedBytes + room > capacity.limit
      && (index.order.count > 1 || isFull(for: length))
  }

  /// Whether to free space in the background: the log exceeds its limit, or the active segment is
  /// half full and there's no space for another.
  var needsTrim: Bool {
    index.activeSize >= capacity.segment / 2
      && index.sealedBytes + capacity.segment + capacity.spare > capacity.limit || isOverfull()
  }
}
