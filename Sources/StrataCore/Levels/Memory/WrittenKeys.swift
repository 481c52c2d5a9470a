import Synchronization

/// The keys of a memory level that were written since the last save, or before it.
///
/// A load must not store a value whose key was written after the save, even if the written value
/// has been evicted since. Unlike `KeyVersions`, this type forgets no write, and a write takes no
/// lock. Each key is a bit of a table, so a key that shares its bit with a written key isn't
/// loaded.
@usableFromInline
package final class WrittenKeys: @unchecked Sendable {  // The words are atomic.
  private typealias Words = UnsafeMutablePointer<Atomic<UInt64>>

  private let memory: UnsafeMutableRawPointer
  private let recent: Words
  private let earlier: Words
  private let count: Int
  private let clearCount = Atomic(0)
  private let save = Atomic<UInt64>(0)

  /// - Parameter entries: The expected number of entries. After writes to as many other keys, a
  ///   load skips about one key in eight by mistake.
  init(entries: Int) {
    var words = 1 << 10
    while words < 1 << 17, words * 8 < entries { words *= 2 }
    count = words
    memory = zeroed(2 * words, of: 8, alignment: 64)
    recent = memory.bindMemory(to: Atomic<UInt64>.self, capacity: words)
    earlier = (memory + 8 * words).bindMemory(to: Atomic<UInt64>.self, capacity: words)
  }

  deinit { freeZeroed(memory) }

  private func place(_ hash: UInt64) -> (word: Int, bit: UInt64) {
    (Int(truncatingIfNeeded: hash &>> 6) & (count &- 1), 1 &<< (hash & 63))
  }

  /// Records a write. Stores nothing if the key's bit is already set.
  @usableFromInline
  func mark(_ hash: UInt64) {
    let (word, bit) = place(hash)
    if recent[word].load(ordering: .relaxed) & bit == 0 {
      recent[word].bitwiseOr(bit, ordering: .relaxed)
    }
  }

  /// Records a removal of all keys, which ends a running load.
  @usableFromInline
  func recordClear() { clearCount.wrappingAdd(1, ordering: .relaxed) }

  package var clears: Int { clearCount.load(ordering: .relaxed) }

  /// Begins a save, whose number must not be zero. Writes that begin afterward count as later than
  /// the save.
  package func beginSave(_ number: UInt64) {
    save.store(0, ordering: .sequentiallyConsistent)
    for word in 0..<count {
      // At each moment, a written key has its bit in one of the tables.
      earlier[word].bitwiseOr(
        recent[word].load(ordering: .relaxed), ordering: .sequentiallyConsistent)
      earlier[word].bitwiseOr(
        recent[word].exchange(0, ordering: .sequentiallyConsistent),
        ordering: .sequentiallyConsistent)
    }
    save.store(number, ordering: .sequentiallyConsistent)
  }

  /// Whether a save is the last one of this level.
  func isLast(_ number: UInt64) -> Bool { save.load(ordering: .sequentiallyConsistent) == number }

  /// Returns whether a key may have been written since a save. If the save isn't the last one of
  /// this level, the result is `true` for each key that was ever written.
  func isWritten(_ hash: UInt64, since number: UInt64) -> Bool {
    let (word, bit) = place(hash)
    if recent[word].load(ordering: .relaxed) & bit != 0 { return true }
    return !isLast(number) && earlier[word].load(ordering: .relaxed) & bit != 0
  }
}
