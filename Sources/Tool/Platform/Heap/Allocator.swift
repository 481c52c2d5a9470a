#if os(Linux) && canImport(Glibc)
  import Synchronization

  /// The functions of the allocator, and replacements that count calls.
  ///
  /// To avoid endless recursion, the replacements must neither allocate memory nor call the
  /// allocator through a replaced pointer.
  enum Allocator {
    typealias Block = UnsafeMutableRawPointer?

    private struct Functions {
      let malloc: @convention(c) (Int) -> Block
      let calloc: @convention(c) (Int, Int) -> Block
      let realloc: @convention(c) (Block, Int) -> Block
      let alignedAlloc: @convention(c) (Int, Int) -> Block
      let posixMemalign: @convention(c) (UnsafeMutablePointer<Block>, Int, Int) -> Int32
      let free: @convention(c) (Block) -> Void
      let usableSize: @convention(c) (Block) -> Int
    }

    private static let real: Functions? = {
      guard let malloc: @convention(c) (Int) -> Block = symbol("malloc"),
        let calloc: @convention(c) (Int, Int) -> Block = symbol("calloc"),
        let realloc: @convention(c) (Block, Int) -> Block = symbol("realloc"),
        let alignedAlloc: @convention(c) (Int, Int) -> Block = symbol("aligned_alloc"),
        let posixMemalign: @convention(c) (UnsafeMutablePointer<Block>, Int, Int) -> Int32 =
          symbol("posix_memalign"),
        let free: @convention(c) (Block) -> Void = symbol("free"),
        let usableSize: @convention(c) (Block) -> Int = symbol("malloc_usable_size")
      else { return nil }
      return Functions(
        malloc: malloc, calloc: calloc, realloc: realloc, alignedAlloc: alignedAlloc,
        posixMemalign: posixMemalign, free: free, usableSize: usableSize)
    }()

    private static let allocations = Atomic(0)
    private static let bytes = Atomic(0)
    private static let growth = Atomic(0)

    static func reset() {
      allocations.store(0, ordering: .relaxed)
      bytes.store(0, ordering: .relaxed)
      growth.store(0, ordering: .relaxed)
    }

    static var count: HeapCount {
      HeapCount(
        allocations: allocations.load(ordering: .relaxed), bytes: bytes.load(ordering: .relaxed),
        growth: growth.load(ordering: .relaxed))
    }

    private static func add(_ size: Int, _ block: Block, replacing old: Int = 0) {
      allocations.wrappingAdd(1, ordering: .relaxed)
      bytes.wrappingAdd(size, ordering: .relaxed)
      growth.wrappingAdd((real?.usableSize(block) ?? 0) &- old, ordering: .relaxed)
    }
  }

  extension Allocator {
    /// The addresses of the replacements, keyed by the names of the original functions.
    static let hooks: [String: UInt]? = {
      guard let real else { return nil }
      add(0, real.malloc(1))  // Performs one-time initializations before counting.
      return [
        "malloc": UInt(bitPattern: unsafeBitCast(malloc, to: Int.self)),
        "calloc": UInt(bitPattern: unsafeBitCast(calloc, to: Int.self)),
        "realloc": UInt(bitPattern: unsafeBitCast(realloc, to: Int.self)),
        "aligned_alloc": UInt(bitPattern: unsafeBitCast(alignedAlloc, to: Int.self)),
        "posix_memalign": UInt(bitPattern: unsafeBitCast(posixMemalign, to: Int.self)),
        "free": UInt(bitPattern: unsafeBitCast(free, to: Int.self)),
      ]
    }()

    private static let malloc: @convention(c) (Int) -> Block = { size in
      let block = real?.malloc(size) ?? nil
      add(size, block)
      return block
    }

    private static let calloc: @convention(c) (Int, Int) -> Block = { count, size in
      let block = real?.calloc(count, size) ?? nil
      add(count &* size, block)
      return block
    }

    private static let realloc: @convention(c) (Block, Int) -> Block = { old, size in
      let before = real?.usableSize(old) ?? 0
      let block = real?.realloc(old, size) ?? nil
      add(size, block, replacing: before)
      return block
    }

    private static let alignedAlloc: @convention(c) (Int, Int) -> Block = { alignment, size in
      let block = real?.alignedAlloc(alignment, size) ?? nil
      add(size, block)
      return block
    }

    private static let posixMemalign:
      @convention(c) (UnsafeMutablePointer<Block>, Int, Int) -> Int32 = { result, alignment, size in
        let status = real?.posixMemalign(result, alignment, size) ?? -1
        if status == 0 { add(size, result.pointee) }
        return status
      }

    private static let free: @convention(c) (Block) -> Void = { block in
      growth.wrappingSubtract(real?.usableSize(block) ?? 0, ordering: .relaxed)
      real?.free(block)
    }
  }
#endif
