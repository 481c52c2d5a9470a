/// The data of a record in memory: 24 bytes, the same in a seal's table. The key stays on disk.
struct Entry: Equatable {
  var hash: UInt64
  /// The offset of the record in its segment. For a record beyond four GiB the offset is wrong, so
  /// reading that record is a miss.
  var offset: UInt32
  var length: UInt32
  /// The deadline in seconds since 1970. It is rounded up, so the exact deadline never comes later.
  /// `.max` means never.
  var deadline: UInt32
  private var flags: UInt32

  static let size = 24

  var isRemoved: Bool { flags & 1 != 0 }
  /// Whether the record was read. The table of a seal doesn't store this.
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

  /// Whether the record's deadline has certainly passed.
  func isExpired(at now: Int64) -> Bool {
    deadline != .max && now >= 0 && UInt64(now) / 1_000 >= UInt64(deadline)
  }
}
