/// An entry of the index, which describes a record in 24 bytes. At the end of a segment, the seal
/// contains a table of the segment's entries. Keys are only on disk.
struct Entry: Equatable {
  var hash: UInt64
  /// The record's offset in the segment, modulo 4 GiB. When a get reads at a wrong offset, it
  /// misses.
  var offset: UInt32
  var length: UInt32
  /// The deadline in seconds since 1970, rounded up, or `.max` if the record has no deadline.
  var deadline: UInt32
  private var flags: UInt32

  static let size = 24

  var isRemoved: Bool {
    get { flags & 1 != 0 }
    set { flags = flags & 2 | (newValue ? 1 : 0) }
  }
  /// Whether a get has read the record. This flag isn't saved to disk.
  var isVisited: Bool {
    get { flags & 2 != 0 }
    set { flags = flags & 1 | (newValue ? 2 : 0) }
  }

  init(_ header: RecordHeader, at offset: Int) {
    hash = header.hash
    self.offset = UInt32(truncatingIfNeeded: offset)
    length = UInt32(header.total)
    let seconds = header.deadline / 1_000 + (header.deadline % 1_000 > 0 ? 1 : 0)
    deadline = UInt32(exactly: max(0, seconds)) ?? .max
    flags = header.kind == .remove ? 1 : 0
  }

  /// Whether the rounded deadline has passed. Only the record's header contains the exact one.
  func isExpired(at now: Int64) -> Bool {
    deadline != .max && now >= 0 && UInt64(now) / 1_000 >= UInt64(deadline)
  }
}
