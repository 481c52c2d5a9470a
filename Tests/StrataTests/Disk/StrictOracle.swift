import Foundation
import StrataLaws
import Synchronization

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Records the acknowledged operations of every process on every key, in shared memory.
///
/// Each key has one writer, which writes increasing versions. Removals have versions too. A value
/// is stale if it had already been replaced, removed, or cleared when the get began. A value counts
/// as `future` if a get returns it before the writer begins to write it.
final class StrictOracle: Sendable {
  enum Count: Int, CaseIterable {
    case wrong, stale, future, gets, hits, sets, clears, failures, clearsBegun
  }

  let keys: Int
  /// The address of the shared memory as a number, because a pointer isn't `Sendable`.
  private let memory: UInt

  /// Maps a file into memory, and creates the file if necessary. All oracles that map the same file
  /// share their contents.
  init(path: String, keys: Int) {
    self.keys = keys
    let size = (keys * 4 + Count.allCases.count) * 8
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    _ = ftruncate(file, off_t(size))
    let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    close(file)
    memory = UInt(bitPattern: mapped)
  }

  /// The number of `clear` calls per 100,000 operations. Long runs rarely clear the store, so most
  /// gets are hits.
  private let clears = ProcessInfo.processInfo.environment["STRATA_LONG"] == nil ? 50 : 1

  private func cell(_ index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    UnsafeMutableRawPointer(bitPattern: memory)!.assumingMemoryBound(to: Atomic<Int>.self) + index
  }

  private func word(_ row: Int, _ key: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    cell(row * keys + key)
  }

  subscript(count: Count) -> Int {
    cell(keys * 4 + count.rawValue).pointee.load(ordering: .acquiring)
  }

  func add(_ count: Count) {
    _ = cell(keys * 4 + count.rawValue).pointee
      .wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  /// Returns the oldest version that a get may return.
  func floor(_ key: Int) -> Int { word(0, key).pointee.load(ordering: .acquiring) }
  func acknowledged(_ key: Int) -> Int { word(1, key).pointee.load(ordering: .acquiring) }
  func begun(_ key: Int) -> Int { word(2, key).pointee.load(ordering: .acquiring) }
  /// Whether the last operation on a key was a `set` that has returned.
  func isKept(_ key: Int) -> Bool {
    word(3, key).pointee.load(ordering: .acquiring) == acknowledged(key)
      && begun(key) == acknowledged(key) && acknowledged(key) > 0
  }

  private func raise(_ key: Int, to version: Int) {
    _ = word(0, key).pointee.max(version, ordering: .acquiringAndReleasing)
  }

  func begin(_ key: Int) -> Int {
    let version = begun(key) + 1
    word(2, key).pointee.store(version, ordering: .releasing)
    return version
  }

  func acknowledge(_ key: Int, _ version: Int, isSet: Bool) {
    if isSet { word(3, key).pointee.store(version, ordering: .releasing) }
    word(1, key).pointee.store(version, ordering: .releasing)
    raise(key, to: version)
  }

  /// Checks the result of a get. The get must not return a version older than `floor`. The caller
  /// reads `floor` before the get begins.
  func judge(_ value: Data?, of key: Int, since floor: Int) {
    add(.gets)
    guard let value else { return }
    add(.hits)
    guard let stamp = Stamp(value), stamp.key == "k\(key)" else { return add(.wrong) }
    if stamp.version < floor { add(.stale) }
    if stamp.version > begun(key) { add(.future) }
  }

  func checkAll(_ log: SegmentLog) {
    for key in 0..<keys {
      let floor = floor(key)
      judge(log.value("k\(key)"), of: key, since: floor)
    }
  }

  /// Runs one operation on a key of this writer, or one get of any key.
  func step(
    _ log: SegmentLog, writer: Int, of writers: Int, longest: Int,
    _ random: inout SeededGenerator
  ) {
    let any = Int.random(in: 0..<keys, using: &random)
    let own = any - any % writers + writer
    switch Int.random(in: 0..<100_000, using: &random) {
    case ..<clears where own < keys: clear(log)
    case 100..<4_000 where own < keys:
      let version = begin(own)
      guard (try? log.remove("k\(own)")) != nil else { return add(.failures) }
      acknowledge(own, version, isSet: false)
    case 4_000..<30_000 where own < keys:
      let version = begin(own)
      // Most values have at most 2,000 bytes. For one value in twenty, the maximum is `longest`
      // bytes.
      let most = Int.random(in: 0..<20, using: &random) == 0 ? longest : min(longest, 2_000)
      let value = Stamp(key: "k\(own)", version: version)
        .value(length: Int.random(in: 24...most, using: &random))
      guard (try? log.set(value, for: "k\(own)")) != nil else { return add(.failures) }
      add(.sets)
      acknowledge(own, version, isSet: true)
    default:
      let floor = floor(any)
      judge(log.value("k\(any)"), of: any, since: floor)
    }
  }

  private func clear(_ log: SegmentLog) {
    let before = (0..<keys).map(acknowledged)
    add(.clearsBegun)
    guard (try? log.removeAll()) != nil else { return add(.failures) }
    add(.clears)
    for (key, version) in before.enumerated() { raise(key, to: version + 1) }
  }

  /// The nonzero counts of wrong, stale, and future values. The tests expect an empty dictionary.
  var lies: [String: Int] {
    ["wrong": self[.wrong], "stale": self[.stale], "future": self[.future]]
      .filter { $0.value > 0 }
  }

  var summary: String {
    Count.allCases.map { "\($0) \(self[$0])" }.joined(separator: ", ")
  }
}
