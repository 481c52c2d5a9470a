import Foundation
import StrataExplain

@testable import StrataCore
@testable import StrataVerbs

/// A pipeline with named levels whose levels answer a known number of gets, on virtual time.
struct PageSample {
  let statistics = CacheStatistics()
  let cache: Cache<Int, Int>
  let telemetry: Telemetry
  let clock: ManualTime

  /// - Parameter names: The names of the levels, from top to bottom.
  init(_ names: [String] = ["memory", "disk", "network"]) {
    let (time, clock) = TimeSource.manual()
    self.clock = clock
    let memory: Cache<Int, Int> = .memory(capacity: 10)
    let disk = Cache<Int, Int>.dictionary([1: 1])
    let network = Fetcher<Int, Int>(offMainThread: false) { key in
      guard key < 1_000 else { throw PageFailure() }
      return key
    }
    cache =
      (memory.named(names[0])
      + (disk.named(names[1]) + network.named(names[2])).pooled())
      .observed(by: statistics.observer, clock: time)
    telemetry = Telemetry(of: statistics, clock: time) {
      [.init(stage: names[0], name: "values", value: 5, limit: 10)]
    }
  }

  /// Gets the keys, and returns a report that is made ten seconds later.
  func report(after keys: [Int]) -> StatisticsReport {
    for key in keys { _ = cache.get(key) }
    clock.advance(by: .seconds(10))
    return telemetry.report()
  }
}

struct PageFailure: Error {}
