extension SegmentLog {
  /// What a get looks at.
  struct State {
    var capacity: Capacity
    /// Whether a full segment is flushed to the device.
    var isFlushing = false
    var index = Index()
    /// The active segment and its length, as long as the index holds all that it says and it is not
    /// sealed; `nil` while there is more to know.
    var watched: Watched?
    /// The segment that this process has just sealed, as long as it looks for the next; the index
    /// holds all that is in it.
    var sealed: Segment?
    /// Until when the index may be used though it cannot be brought up to date, because nobody can
    /// write in the folder.
    var frozenUntil: Int64 = .min
    /// When it was last checked that the folder and the segment are still where they were.
    var checkedAt: Int64 = .min
    var folder: Folder?
    var counts = Counts()
    /// Values evicted and not yet told of.
    var unreported = 0
    /// Whether room is to be made once it is tight, and whether that is being done.
    var isTrimWanted = false
    var isTrimming = false
    /// How many wait for the lock of the writers.
    var waiting = 0

    init(capacity: Capacity) { self.capacity = capacity }
  }

  struct Watched {
    let segment: Segment
    /// The segment's.
    let file: Descriptor
    var size: Int
    /// Up to where the records in it have been applied: what is being written may lie behind.
    var known: Int
    /// What this process is appending right now.
    var pending: Pending?

    init(_ segment: Segment, size: Int, known: Int) {
      (self.segment, self.file) = (segment, segment.file)
      (self.size, self.known) = (size, known)
    }
  }

  struct Folder {
    let file: OpenFile
    let identity: FileIdentity
  }

  /// A write under way: a get may see its bytes before those who wrote them know where they are.
  struct Pending {
    var total: Int
    /// The first header's sum, by which the bytes are known.
    var sum: UInt64
    /// Where further headers begin, and their sums.
    var further: [(offset: Int, sum: UInt64)] = []
  }

  struct Counts {
    var hits = 0
    var misses = 0
    var evictions = 0
    /// Bytes of the records that sets wrote, and of all that was written.
    var setBytes = 0
    var allBytes = 0
  }
}

extension SegmentLog.State {
  /// How often it is checked whether the folder is still there, in milliseconds.
  static let checkInterval: Int64 = 10

  /// Whether the index holds all that any process has written; asks the system for one length.
  mutating func isUpToDate(_ files: FileSystem, _ directory: String, _ now: Int64) -> Bool {
    // Field by field: a copy of what is watched would be counted, twice in every get.
    guard let file = watched?.file, let size = watched?.size else {
      return now < frozenUntil && frozenUntil - now <= 1_000
    }
    guard let end = try? files.end(file) else { return false }
    if end != size, watched?.isUnfinished(to: end) != true { return false }
    return !isMoved(files, directory, now)
  }

  /// Whether the segment was removed, or the folder is another; looks at most every 10 ms.
  mutating func isMoved(_ files: FileSystem, _ directory: String, _ now: Int64) -> Bool {
    let (elapsed, overflow) = now.subtractingReportingOverflow(checkedAt)
    if !overflow, 0..<Self.checkInterval ~= elapsed { return false }
    guard
      let identity = folder?.identity, let found = try? files.statusAt(directory),
      found.identity == identity
    else { return true }
    if let watched {
      guard let segment = try? files.status(watched.segment.file), segment.links > 0 else {
        return true
      }
    }
    checkedAt = now
    return false
  }

  /// Finds the newest record of a hash, if it is a value and not past its deadline.
  mutating func look(_ hash: UInt64, _ now: Int64) -> SegmentLog.Found? {
    guard let found = index.find(hash) else {
      counts.misses &+= 1
      return nil
    }
    let entry = index.entry(found)
    if entry.isRemoved || entry.isExpired(at: now) {
      counts.misses &+= 1
      return nil
    }
    if !entry.isVisited { index.visit(found) }
    counts.hits &+= 1
    return (index.segment(found.book), Int(entry.offset), Int(entry.length))
  }
}

extension SegmentLog.Watched {
  /// Whether a longer file is due to writes alone that have not returned: then a get need not wait
  /// for them.
  func isUnfinished(to end: Int) -> Bool {
    guard end > size else { return false }
    // Whoever wrote these few bytes has more to write.
    if end - known < RecordHeader.length { return true }
    guard let pending, end - size <= pending.total, end - size >= RecordHeader.length else {
      return false
    }
    // By the last header there is: another's copies may begin with the same record.
    let last = pending.further.last { $0.offset + RecordHeader.length <= end - size }
    let (offset, expected) = last ?? (0, pending.sum)
    var sum: UInt64 = 0
    let isRead = withUnsafeMutableBytes(of: &sum) {
      (try? segment.fill($0, from: size + offset + RecordHeader.sumOffset)) != nil
    }
    return isRead && UInt64(littleEndian: sum) == expected
  }
}

/// How much a log may hold, and what follows from that.
struct Capacity {
  /// As asked for.
  let bytes: Int
  /// Segments up to this long are gone in less than a millisecond, whoever waits for it.
  private let shortSegment: Int

  init(_ bytes: Int, shortSegment: Int = 1 << 20) {
    (self.bytes, self.shortSegment) = (max(0, bytes), shortSegment)
  }

  /// What is kept to: the few bytes that even an empty log takes are always allowed; more than 128
  /// GiB would be more segments than can be told apart.
  var limit: Int { min(max(bytes, 4 << 10), 128 << 30) }
  /// How long a segment gets before the next is begun.
  var segment: Int {
    min(max(64 << 10, min(limit / 16, 64 << 20), limit / 64), limit / 4)
  }
  /// The room beyond the active segment that is made in the background; none for short segments.
  var spare: Int { segment > shortSegment ? min(segment, limit / 16) : 0 }
  var longestRecord: Int { min(bytes / 2, RecordHeader.longest) }
}
