/// What memory holds of a record: 24 bytes, the same in a seal's table. The key stays on disk.
struct Entry: Equatable {
  var hash: UInt64
  /// Where the record begins in its segment.
  var offset: UInt32
  var length: UInt32
  /// Seconds since 1970, rounded up, so that a passed one has passed; `.max` is never.
  var deadline: UInt32
  var flags: UInt32

  static let size = 24
  static let removed: UInt32 = 1
  static let visited: UInt32 = 2

  var isRemoved: Bool { flags & Entry.removed != 0 }
  var isVisited: Bool { flags & Entry.visited != 0 }

  /// - Returns: `nil` if the record lies further behind than an entry can tell.
  init?(_ header: RecordHeader, at place: Int) {
    guard place >= 0, place + header.total <= Int(UInt32.max) else { return nil }
    hash = header.hash
    (offset, length) = (UInt32(place), UInt32(header.total))
    deadline = Entry.seconds(header.deadline)
    flags = header.kind == .remove ? Entry.removed : 0
  }

  /// Whether a record with this entry is past its deadline for certain.
  func isExpired(at now: Int64) -> Bool {
    deadline != .max && now >= 0 && UInt64(now) / 1_000 >= UInt64(deadline)
  }

  private static func seconds(_ deadline: Int64) -> UInt32 {
    let seconds = deadline / 1_000 + (deadline % 1_000 > 0 ? 1 : 0)
    return UInt32(exactly: max(0, seconds)) ?? .max
  }
}

extension Entry {
  /// Reads an entry of a table.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    func half(_ place: Int) -> UInt32 {
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: UInt32.self))
    }
    hash = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    (self.offset, length, deadline) = (half(8), half(12), half(16))
    flags = half(20) & Entry.removed
  }

  /// Writes the entry into a table; that it was read is nobody else's business.
  func write(to table: UnsafeMutableRawBufferPointer, at place: Int) {
    table.storeBytes(of: hash.littleEndian, toByteOffset: place, as: UInt64.self)
    func put(_ half: UInt32, _ offset: Int) {
      table.storeBytes(of: half.littleEndian, toByteOffset: place + offset, as: UInt32.self)
    }
    put(offset, 8)
    put(length, 12)
    put(deadline, 16)
    put(flags & Entry.removed, 20)
  }
}
