#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SegmentLog {
  /// What only its holder may change or use: how segments are written.
  struct Writer {
    var folder: OpenFile?
    /// Open for appending, with the number of its segment.
    var appender: (segment: UInt64, file: OpenFile)?
    /// The highest number ever seen: none is used twice.
    var highest: UInt64 = 0
    /// How far the oldest segment has been searched for what is worth keeping.
    var sweep = Sweep()
    var rest = Rest()
    var marks = Marks()
  }

  /// A number for each record, so that two records of equal content have different sums.
  ///
  /// It starts anywhere; to ask the system for each would take a call.
  struct Marks {
    private var last = UInt64.random(in: 0 ... .max)

    mutating func next() -> UInt64 {
      last &+= 1
      return last
    }
  }

  /// Runs something under the lock of the writers, before whatever only makes room.
  func writing<Result, Failure: Error>(
    _ body: (inout Writer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let writer = writer.acquireIfFree() {
      defer { self.writer.giveBack() }
      return try body(&writer.pointee)
    }
    state.withLock { $0.waiting += 1 }
    return try writer.withLock { writer throws(Failure) in
      state.withLock { $0.waiting -= 1 }
      return try body(&writer)
    }
  }

  /// Runs a change under the lock of the writers and says in words what failed.
  func attempt(
    bytes: Int, _ change: (inout Writer) throws(FileSystemError) -> Void
  ) throws(DiskError) {
    do throws(FileSystemError) {
      do throws(FileSystemError) {
        try writing(change)
      } catch  where error.code == ENOENT {
        // The folder has gone since it was last looked at: as if that had been seen in time.
        state.withLock { $0.checkedAt = .min }
        try writing(change)
      }
    } catch {
      throw error.isFull
        ? .full(directory: directory, bytes: bytes)
        : .unavailable(directory: directory, operation: error.operation, code: error.code)
    }
  }
}
