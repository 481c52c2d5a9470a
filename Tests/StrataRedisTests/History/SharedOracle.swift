import Foundation
import Strata
import Synchronization

/// For each key, records the origin's version and the acknowledged writes. Several processes share
/// the memory of this object.
///
/// Each key has one writer, which writes increasing versions. The writer stores each version in the
/// origin before it writes the version to the caches. When a write has settled, the writer records
/// the write's version and the time as an acknowledgment.
final class SharedOracle: @unchecked Sendable {  // Uses atomics in memory that is never released.
  /// The number of acknowledged writes that are remembered for each key.
  private static let depth = 64
  static let keys = 64

  private let words: UnsafeMutablePointer<Int>
  private static let wordsOfKey = 2 + 2 * depth

  init(path: String) {
    let size = Self.keys * Self.wordsOfKey * 8
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    ftruncate(descriptor, off_t(size))
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)!
    _ = close(descriptor)
    words = memory.assumingMemoryBound(to: Int.self)
  }

  private func word(_ key: Int, _ index: Int) -> UnsafeMutablePointer<Int> {
    words + key * Self.wordsOfKey + index
  }

  /// Returns the origin's version of a key.
  func origin(_ key: Int) -> Int { load(word(key, 0)) }

  /// Stores the next version of a key in the origin, and returns that version. Only the key's
  /// writer calls this function.
  func begin(_ key: Int) -> Int {
    let version = origin(key) + 1
    store(version, word(key, 0))
    return version
  }

  /// Acknowledges a version. Only the key's writer calls this function.
  func acknowledge(_ key: Int, _ version: Int) {
    let index = version % Self.depth
    store(version, word(key, 2 + 2 * index))
    store(Int(runningNanoseconds()), word(key, 3 + 2 * index))
    store(version, word(key, 1))
  }

  /// Returns the latest acknowledged version of a key. Without a memory level, every later get must
  /// return this version or a newer version.
  func floor(_ key: Int) -> Int { load(word(key, 1)) }

  /// Returns the number of nanoseconds between the first acknowledgment of a newer version and
  /// `time`. Returns zero if no newer version was acknowledged.
  func staleness(of version: Int, _ key: Int, at time: Int64) -> Int64 {
    guard version < floor(key) else { return 0 }
    let times = (0..<Self.depth).compactMap { index -> Int? in
      load(word(key, 2 + 2 * index)) > version ? load(word(key, 3 + 2 * index)) : nil
    }
    return max(0, time - Int64(times.min() ?? Int(time)))
  }

  private func load(_ word: UnsafeMutablePointer<Int>) -> Int {
    atomic(word).pointee.load(ordering: .acquiring)
  }

  private func store(_ value: Int, _ word: UnsafeMutablePointer<Int>) {
    atomic(word).pointee.store(value, ordering: .releasing)
  }

  private func atomic(
    _ word: UnsafeMutablePointer<Int>
  ) -> UnsafeMutablePointer<Atomic<Int>> {
    UnsafeMutableRawPointer(word).assumingMemoryBound(to: Atomic<Int>.self)
  }
}

/// The results of one process.
struct HistoryReport: Codable, Equatable {
  var operations = 0
  var hits = 0
  var loads = 0
  var errors = 0
  /// The number of errors that report a missed deadline.
  var timeouts = 0
  /// The number of returned values that no process had stored under the requested key.
  var wrong = 0
  /// The number of stale values from reads that bypass the memory level. A value is stale if it's
  /// older than a write that was acknowledged before the read.
  var stale = 0
  /// The longest time, in milliseconds, from a write's acknowledgment to a get that still returned
  /// an older value.
  var stalestMilliseconds = 0
  /// The duration of the slowest operation, in milliseconds.
  var slowestMilliseconds = 0
  /// The longest duration, in milliseconds, of a sleep that was meant to take two milliseconds.
  var latestMilliseconds = 0
  /// The first error that isn't a missed deadline, and the first stale value below the memory level.
  var firstFault: String?

  /// Counts an error.
  mutating func note(_ error: any Error) {
    errors += 1
    if case .timedOut? = error as? CacheError {
      timeouts += 1
    } else {
      note("\(error)")
    }
  }

  mutating func note(_ fault: String) { firstFault = firstFault ?? fault }

  /// Counts a stale value.
  mutating func noteStale(_ description: String) {
    stale += 1
    note("stale: " + description)
  }

  static func + (one: Self, other: Self) -> Self {
    HistoryReport(
      operations: one.operations + other.operations, hits: one.hits + other.hits,
      loads: one.loads + other.loads, errors: one.errors + other.errors,
      timeouts: one.timeouts + other.timeouts,
      wrong: one.wrong + other.wrong, stale: one.stale + other.stale,
      stalestMilliseconds: max(one.stalestMilliseconds, other.stalestMilliseconds),
      slowestMilliseconds: max(one.slowestMilliseconds, other.slowestMilliseconds),
      latestMilliseconds: max(one.latestMilliseconds, other.latestMilliseconds),
      firstFault: one.firstFault ?? other.firstFault)
  }
}
