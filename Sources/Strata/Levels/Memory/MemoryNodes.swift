import Synchronization

/// What the memory level keeps of an entry beside its key and value.
///
/// The visited bit is all that a hit changes. Hash, cost and serial change under the lock of the
/// policy and that of the shard, and so may be read under either; the rest belongs to the policy.
@usableFromInline
struct MemoryNode: ~Copyable {
  @usableFromInline var hash: UInt64
  @usableFromInline var cost: Int
  @usableFromInline var next: UInt32
  @usableFromInline var previous: UInt32
  @usableFromInline var serial: UInt32
  @usableFromInline var isMain: Bool
  @usableFromInline let isVisited: Atomic<Bool>
  @usableFromInline var sightings: Sightings

  /// Notes a hit, with a write only where that changes something.
  @inlinable
  @inline(__always)
  func visit() {
    if !isVisited.load(ordering: .relaxed) { isVisited.store(true, ordering: .relaxed) }
  }
}

/// The nodes of a memory level, by number: in chunks, each twice the one before, that never move.
///
/// A node is followed by its key and value. Chunks are all zero at first and lie untouched until
/// needed, so that room for a million entries costs no time. Beside each chunk its base is noted,
/// where number zero would be if all lay in one piece: so a node is found with one multiplication.
@usableFromInline
struct MemoryNodes {
  @usableFromInline static let smallest = 64

  @usableFromInline let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  @usableFromInline let stride: Int
  private let alignment: Int
  private let limit: Int
  private(set) var count = 0  // Nodes ever given out.
  private var room = 0
  private var free: UInt32 = 0  // The first free node, plus one; linked by `next`.
  private var lastSerial: UInt32 = 0

  init(stride: Int, alignment: Int, limit: Int) {
    self.stride = stride
    self.alignment = alignment
    self.limit = limit
    chunks = .allocate(capacity: 64)  // Of chunks, and then of their bases.
    chunks.initialize(repeating: nil, count: 64)
  }

  /// The node of a number.
  @inlinable
  @inline(__always)
  subscript(number: UInt32) -> UnsafeMutablePointer<MemoryNode> {
    MemoryNodes.node(number, in: chunks, stride: stride)
  }

  @inlinable
  @inline(__always)
  static func node(
    _ number: UInt32, in chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>, stride: Int
  ) -> UnsafeMutablePointer<MemoryNode> {
    let place = Int(number) &+ smallest
    let base = Int(bitPattern: chunks[89 &- place.leadingZeroBitCount])
    return UnsafeMutablePointer(bitPattern: base &+ place &* stride).unsafelyUnwrapped
  }

  /// Gives out a node, with a serial number of its own.
  @usableFromInline
  mutating func take() -> UInt32 {
    lastSerial &+= 1
    let number: UInt32
    if free != 0 {
      number = free - 1
      free = self[number].pointee.next
    } else {
      if count == room { addChunk() }
      number = UInt32(count)
      count += 1
    }
    self[number].pointee.serial = lastSerial
    return number
  }

  @usableFromInline
  mutating func giveBack(_ number: UInt32) {
    let node = self[number]
    node.pointee.serial = 0
    node.pointee.next = free
    free = number + 1
  }

  private mutating func addChunk() {
    let chunk = 57 - (UInt(count) + UInt(MemoryNodes.smallest)).leadingZeroBitCount
    let size = min(MemoryNodes.smallest << chunk, limit - count)
    let memory = zeroed(size, of: stride, alignment: max(64, alignment))
    chunks[chunk] = memory
    chunks[chunk + 32] = UnsafeMutableRawPointer(
      bitPattern: Int(bitPattern: memory) &- (MemoryNodes.smallest << chunk) &* stride)
    room += size
  }

  /// Starts anew without any chunk; returns the chunks there were, for the caller to free.
  mutating func removeAll() -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    let old = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 64)
    old.moveInitialize(from: chunks, count: 64)
    chunks.initialize(repeating: nil, count: 64)
    (count, room, free) = (0, 0, 0)
    return old
  }
}
