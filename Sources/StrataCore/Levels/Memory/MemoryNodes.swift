import Synchronization

/// The header of an entry in a memory level, stored before the key and the value.
///
/// A hit changes only the visited bit. To read the hash, cost, or serial number, a thread must hold
/// the policy lock or the shard lock. To change them, it must hold both locks. All other fields are
/// guarded by the policy lock.
@usableFromInline
struct MemoryNode: ~Copyable {
  /// The cost. It's zero for a pinned entry, which is in no queue.
  @usableFromInline var cost: Int
  @usableFromInline var next: UInt32
  @usableFromInline var previous: UInt32
  @usableFromInline var serial: UInt32
  @usableFromInline var isMain: Bool
  @usableFromInline let isVisited: Atomic<Bool>
  @usableFromInline var frequency: FrequencyEstimate
  /// A hit reads the hash, the key, and the value.
  @usableFromInline var hash: UInt64

  /// Records a hit. Writes the visited bit only if the bit isn't set yet, because each write would
  /// invalidate the entry's cache line in other cores.
  @inlinable
  @inline(__always)
  func visit() {
    if !isVisited.load(ordering: .relaxed) { isVisited.store(true, ordering: .relaxed) }
  }
}

/// The nodes of a memory level, by their ID. They are in chunks that never move, each twice as
/// large as the one before.
///
/// Each node in memory is followed by its key and value. A chunk is zeroed memory that stays
/// untouched until its first use, so reserving room for a million entries takes almost no time. For
/// each chunk, `chunks` also stores a base address. So the address of a node is base + (ID + 64) *
/// stride, which takes one multiplication.
@usableFromInline
struct MemoryNodes {
  /// The number of nodes in the first chunk.
  @usableFromInline static let smallest = 64

  /// Elements 0 to 31 are the start addresses of the chunks, and elements 32 to 63 are their base
  /// addresses. A base address plus a multiple of `stride` is the address of a node.
  @usableFromInline let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  @usableFromInline let stride: Int
  private let alignment: Int
  private let limit: Int
  private(set) var count = 0  // The number of nodes, including free nodes.
  private var reserved = 0
  private var firstFree: UInt32 = 0  // The first free ID plus one. `next` links the free nodes.
  private var lastSerial: UInt32 = 0

  init(stride: Int, alignment: Int, limit: Int) {
    self.stride = stride
    self.alignment = alignment
    self.limit = limit
    chunks = .allocate(capacity: 64)
    chunks.initialize(repeating: nil, count: 64)
  }

  @inlinable
  @inline(__always)
  subscript(id: UInt32) -> UnsafeMutablePointer<MemoryNode> {
    MemoryNodes.node(id, in: chunks, stride: stride)
  }

  @inlinable
  @inline(__always)
  static func node(
    _ id: UInt32, in chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>, stride: Int
  ) -> UnsafeMutablePointer<MemoryNode> {
    let offset = Int(id) &+ smallest
    let base = Int(bitPattern: chunks[89 &- offset.leadingZeroBitCount])
    return UnsafeMutablePointer(bitPattern: base &+ offset &* stride).unsafelyUnwrapped
  }

  /// Ensures that a node can be allocated, unless all nodes up to the limit are in use. Returns
  /// `false` if memory can't be allocated.
  @usableFromInline
  mutating func reserve() -> Bool {
    firstFree != 0 || count < reserved || count == limit || addChunk()
  }

  /// Allocates a node with a new serial number.
  @usableFromInline
  mutating func allocate() -> UInt32 {
    lastSerial &+= 1
    if lastSerial == 0 { lastSerial = 1 }  // Free nodes have the serial number zero.
    let id: UInt32
    if firstFree != 0 {
      id = firstFree - 1
      firstFree = self[id].pointee.next
    } else {
      if count == reserved { _ = reserve() }
      id = UInt32(count)
      count += 1
    }
    self[id].pointee.serial = lastSerial
    return id
  }

  @usableFromInline
  mutating func free(_ id: UInt32) {
    let node = self[id]
    node.pointee.serial = 0
    node.pointee.next = firstFree
    firstFree = id + 1
  }

  private mutating func addChunk() -> Bool {
    let chunk = 57 - (UInt(count) + UInt(MemoryNodes.smallest)).leadingZeroBitCount
    let size = min(MemoryNodes.smallest << chunk, limit - count)
    guard let memory = ZeroedMemory.allocate(size, of: stride, alignment: max(64, alignment))
    else { return false }
    chunks[chunk] = memory
    chunks[chunk + 32] = UnsafeMutableRawPointer(
      bitPattern: Int(bitPattern: memory) &- (MemoryNodes.smallest << chunk) &* stride)
    reserved += size
    return true
  }

  /// Removes and returns all chunks, which the caller frees.
  mutating func removeAll() -> UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    let old = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 64)
    old.moveInitialize(from: chunks, count: 64)
    chunks.initialize(repeating: nil, count: 64)
    (count, reserved, firstFree) = (0, 0, 0)
    return old
  }
}
