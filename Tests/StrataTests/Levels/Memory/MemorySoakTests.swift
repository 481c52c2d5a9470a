import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Runs mixed work on a pipeline of memory levels for several minutes. The process's memory must
/// not grow.
///
/// If the allocator reports its free memory, the test subtracts this memory from the process's
/// memory. In a run of 150 seconds, for example, the process had 38 MB at the end, but the
/// allocator reported 32 MB of them as free. The allocator keeps free memory in a separate heap for
/// each of a dozen threads.
///
/// The environment variable `STRATA_SOAK` sets the duration in seconds, which is 600 for the full
/// test. Without `STRATA_SOAK`, the test doesn't run.
final class MemorySoakTests: XCTestCase {
  func testMemoryIsFlat() throws {
    let variable = ProcessInfo.processInfo.environment["STRATA_SOAK"]
    guard let seconds = variable.flatMap(Double.init) else {
      throw XCTSkip("STRATA_SOAK has no number of seconds")
    }
    let clock = ContinuousClock()
    let (start, work) = (clock.now, Soak())
    var samples: [(second: Double, held: Int)] = []
    while clock.now - start < .seconds(seconds) {
      DispatchQueue.concurrentPerform(iterations: 4) { work.run(rounds: 5_000, thread: $0) }
      work.rest()
      Memory.trim()
      samples.append(((clock.now - start) / .seconds(1), Memory.givenOut ?? Memory.resident))
    }
    let warm = samples.filter { $0.second >= seconds / 10 }.map(\.held)
    guard let first = warm.first, let last = warm.last, let most = warm.max() else { return }
    print("soak: \(samples.count) samples, \(first) bytes, at most \(most), \(last) at the end")
    XCTAssertLessThan(
      most - first, 8 << 20, "The memory should not grow. Resident bytes: \(Memory.resident)")
  }
}

/// A pool above a sum of three levels and an origin. The second level limits the total size of its
/// values in bytes. The origin is slow for some keys.
private final class Soak: Sendable {
  private let cache: Cache<String, Data>
  private let underWay = DispatchGroup()

  init() {
    let origin = Fetcher<String, Data> { [underWay] key in
      Promise { continuation in
        let value = Data(repeating: 7, count: 64 + key.utf8.count * 16)
        if key.utf8.last.map({ $0 & 7 == 0 }) == true {
          DispatchQueue.global().async(group: underWay) { continuation.succeed(value) }
        } else {
          continuation.succeed(value)
        }
      }
    }
    let levels: Cache<String, Data> =
      .memory(capacity: 200) + .memory(capacity: .bytes(1 << 20)) + .memory(capacity: 5_000)
    cache = (levels + origin).pooled()
  }

  /// Waits for the slow loads, because they would otherwise accumulate.
  func rest() { underWay.wait() }

  func run(rounds: Int, thread: Int) {
    var random = SeededGenerator(stream: Int(LawSeed.value &+ UInt64(thread)) & 0xffff)
    for _ in 0..<rounds {
      let number = Int.random(in: 0..<20_000, using: &random)
      let key =
        "https://example.org/pages/\(min(number, Int.random(in: 0..<20_000, using: &random)))"
      switch Int.random(in: 0..<1_000, using: &random) {
      case 0..<150: _ = cache.set(key, Data(repeating: 1, count: number & 1_023))
      case 150..<180: _ = cache.remove(key)
      case 180: cache.memoryWarning()
      case 181 where number < 2_000: _ = cache.clear()
      case 182..<220: cache.get(key).map { $0.count }.cancel()
      default: _ = cache.get(key)
      }
    }
  }
}
