import Synchronization

/// The memory of the hash tables of a memory level's shards.
///
/// Each shard has its own table, and all tables grow at almost the same time. So when the first of
/// them grows, this structure allocates one block of memory for all larger tables. In a level of many
/// entries, this block is large enough for large pages, and the table of one shard isn't. See
/// `HugePages`. A small table has its own memory.
///
/// The level's policy lock guards this structure, but any thread may free a table.
struct ShardTables {
  typealias Slots = UnsafeMutablePointer<UInt64>

  /// The size of the space before each table, in which a table's cache line starts.
  private static let header = 64

  private let shards: Int  // The number of shards.
  private var block: UnsafeMutableRawPointer?  // The last block.
  private var size = 0  // The number of slots of each table in the last block.
  private var used = 0  // The number of tables that were taken from the last block.

  init(shards: Int) { self.shards = shards }

  /// Returns a zeroed table, or `nil` if no memory can be allocated.
  ///
  /// - Parameter size: The number of slots.
  mutating func allocate(_ size: Int) -> Slots? {
    if size * 8 * shards >= HugePages.threshold, let table = takeFromBlock(size) { return table }
    return ZeroedMemory.allocate(size, of: 8, alignment: 64)?.assumingMemoryBound(to: UInt64.self)
  }

  /// Frees a table. The last table of a block frees the block.
  static func free(_ table: Slots?) {
    guard let table else { return }
    let block = (UnsafeMutableRawPointer(table) - 8).load(as: UnsafeMutableRawPointer?.self)
    if let block { release(block) } else { freeZeroed(table) }
  }

  /// Forgets the last block, from which no table will be taken any more.
  mutating func reset() {
    if let block { ShardTables.release(block) }
    self = ShardTables(shards: shards)
  }

  private mutating func takeFromBlock(_ size: Int) -> Slots? {
    if size > self.size { begin(size) }
    guard let block, size == self.size, used < shards else { return nil }
    let table = block + ShardTables.header + used * distance(size) + ShardTables.header
    (table - 8).storeBytes(of: block, as: UnsafeMutableRawPointer?.self)
    ShardTables.references(to: block).pointee.wrappingAdd(1, ordering: .relaxed)
    used += 1
    return table.assumingMemoryBound(to: UInt64.self)
  }

  private mutating func begin(_ size: Int) {
    reset()
    let bytes = ShardTables.header + shards * distance(size)
    guard let block = ZeroedMemory.allocate(1, of: bytes, alignment: 64) else { return }
    block.bindMemory(to: Atomic<Int>.self, capacity: 1).initialize(to: Atomic(1))
    (self.block, self.size) = (block, size)
  }

  private func distance(_ size: Int) -> Int { size * 8 + ShardTables.header }

  /// The number of tables of a block that are in use, plus one for the last block.
  private static func references(
    to block: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Atomic<Int>> {
    block.assumingMemoryBound(to: Atomic<Int>.self)
  }

  private static func release(_ block: UnsafeMutableRawPointer) {
    let old = references(to: block).pointee.wrappingSubtract(
      1, ordering: .acquiringAndReleasing
    ).oldValue
    if old == 1 { freeZeroed(block) }
  }
}
