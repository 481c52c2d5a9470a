import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

/// Tests two logs that share a directory. In some phases, one in fifty system calls fails. No get
/// may return a value older than the last acknowledged value.
final class SegmentLogRandomFaultTests: DiskTestCase {
  /// Any call may fail with any of these codes. ENOENT isn't included, because the log would
  /// conclude that an existing file is absent.
  private static let codes: [Int32] = [
    EIO, ENOSPC, EDQUOT, EMFILE, ENFILE, ENOMEM, EACCES, EPERM, EROFS,
  ]

  /// The state that the logs of a run share.
  private struct World: Sendable {
    let clock = Lock<Int64>(1_000_000_000_000)
    let works = Lock<[@Sendable () -> Void]>([])
    /// The number of failing system calls per thousand.
    let rate = Lock(0)
    let random: Lock<SeededGenerator>

    init(_ seed: UInt64) { random = Lock(SeededGenerator(seed: seed)) }

    func engine(_ folder: String, shortened: Int?) -> SegmentLog {
      let world = self
      let faulty = FaultyFileSystem { _, _ in
        world.random.withLock { random in
          guard Int.random(in: 0..<1_000, using: &random) < world.rate.withLock({ $0 }) else {
            return nil
          }
          return SegmentLogRandomFaultTests.codes.randomElement(using: &random)
        }
      }
      faulty.shortened.withLock { $0 = shortened }
      var files = faulty.files
      files.now = { world.clock.withLock { $0 } }
      files.pause = { _ in }
      let log = SegmentLog(
        directory: folder, capacity: 2 << 20, files: files,
        background: { work in world.works.withLock { $0.append(work) } })
      world.resize(log, 2 << 20)
      return log
    }

    /// Changes the capacity of a log. Afterwards, background work keeps some space free in the log,
    /// as it does in a log with long segments.
    func resize(_ log: SegmentLog, _ capacity: Int) {
      _ = try? log.setCapacity(capacity)
      log.state.withLock { $0.capacity = Capacity(capacity, shortSegment: 0) }
    }

    func runWorks() {
      let works = works.withLock { works in
        defer { works = [] }
        return works
      }
      for work in works { work() }
    }
  }

  func testNoOlderValueIsReturnedIfCallsFail() {
    // With these seeds, the test detects a faulty log that simply removes the newest segment after
    // a failure.
    let few: [UInt64] = [20, 50, 57, 99, 120, 131, 140, 198]
    for seed in isLong ? Array(1...300) : few {
      try? FileManager.default.removeItem(atPath: folder)
      let world = World(seed)
      // With an even seed, a failing append writes only some of its bytes.
      let engines = (0..<2).map { _ in
        world.engine(folder, shortened: seed % 2 == 0 ? Int(seed) * 3 : nil)
      }
      XCTAssertEqual(lies(of: engines, in: world, seed), [], "seed \(seed)")
      world.rate.withLock { $0 = 0 }
      world.clock.withLock { $0 += 5_000 }
      for log in engines {
        XCTAssertNoThrow(try log.set(Data("x".utf8), for: "x"), "seed \(seed)")
        log.state.withLock { state in
          let newest = state.index.order.reduce(0) { sum, book in
            let entries = 0..<state.index.entries(of: book)
            return sum
              + entries.filter { entry in
                state.index.isNewest(state.index.segments[book]!.entries[entry], in: book)
                  && !state.index.segments[book]!.entries[entry].isRemoved
              }.count
          }
          XCTAssertEqual(newest, state.index.live, "seed \(seed)")
        }
      }
      for _ in 0..<50 { world.runWorks() }
    }
  }

  /// Returns a description of each invalid value that a get returned.
  private func lies(of engines: [SegmentLog], in world: World, _ seed: UInt64) -> [String] {
    var random = SeededGenerator(seed: seed &* 77)
    var (allowed, lies) = ([String: Set<Int>](), [String]())
    for version in 0..<6_000 {
      world.clock.withLock { $0 += version % 7 == 0 ? 1 : 0 }
      world.rate.withLock { $0 = version / 500 % 2 == 0 ? 0 : 20 }
      let log = engines[Int.random(in: 0..<2, using: &random)]
      let key = "\(Int.random(in: 0..<2_000, using: &random))"
      switch Int.random(in: 0..<1_000, using: &random) {
      case 0..<3:
        if (try? log.removeAll()) != nil { allowed = [:] }
      case 3:
        world.resize(log, [1 << 20, 2 << 20, 3 << 20].randomElement(using: &random)!)
      case 4..<100:
        if (try? log.remove(key)) != nil { allowed[key] = [] }
      case 100..<700:
        let value = Stamp(key: key, version: version)
          .value(length: Int.random(in: 24..<400, using: &random))
        let isWritten = (try? log.set(value, for: key)) != nil
        // After a failed write, a get may return the old or the new version.
        allowed[key] = isWritten ? [version] : allowed[key, default: []].union([version])
      default:
        guard let value = log.value(key) else { break }
        let stamp = Stamp(value)
        if stamp?.key != key || !allowed[key, default: []].contains(stamp?.version ?? -1) {
          lies.append("at \(version), \(key): \(stamp?.version ?? -1) of \(allowed[key] ?? [])")
        }
      }
      if version % 5 == 0 { world.runWorks() }
    }
    return lies
  }
}
