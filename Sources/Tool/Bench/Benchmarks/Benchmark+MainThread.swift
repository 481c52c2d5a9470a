import Foundation
import Strata

extension Benchmark {
  /// The time for which reading JSON from disk blocks the main thread.
  static let mainThread = Benchmark(
    group: .disk, title: "1,000 gets of 100 KiB of JSON, blocking main"
  ) {
    rounds, scale in
    let shelf = try await JSONShelf()
    let count = scale.entries(1_000)
    var times: [[Double]] = [[], []]
    var heaps: [HeapCount?] = [nil, nil]
    for round in 0..<rounds {
      for turn in 0..<2 {
        let index = (round + turn) % 2
        let level = shelf.levels[index]
        heaps[index] = try await Heap.count {
          times[index].append(try await shelf.blockMainThread(count, level))
        }
      }
    }
    return zip(["on the main thread", "off the main thread"], zip(times, heaps)).compactMap {
      let (subject, (time, heap)) = $0
      return Row(
        "1,000 gets of 100 KiB of JSON, blocking main", subject, .time, time, over: times[0],
        allocations: heap.map { Double($0.allocations) / Double(count) })
    }
  }
}

/// Articles on disk, and two levels that read them. When the main thread calls `get`, the first
/// level reads on this thread, and the second level reads on another one.
private final class JSONShelf: Sendable {
  struct Item: Codable, Sendable { let id: Int, title: String, tags: [String] }

  let levels: [Cache<String, [Item]>]
  private let keys = Keys(16, String.numbered)
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    let url = directory.url
    levels = [false, true].map { .disk("json", in: url, offMainThread: $0) <*> .json() }
    let items = (0..<1_000).map { id in
      Item(
        id: id, title: "A title of an article, as it is \(id)", tags: ["layers", "disk", "json"])
    }
    for key in keys.all { try await levels[0].set(items, for: key) }
  }

  deinit { directory.remove() }

  /// Calls `get` on the main thread repeatedly. Returns the mean time in nanoseconds that a call
  /// blocks the main thread.
  func blockMainThread(_ count: Int, _ level: Cache<String, [Item]>) async throws -> Double {
    let keys = keys
    var blocked = 0.0
    for index in 0..<count {
      let (get, time) = await MainActor.run {
        OperationTimes.timing { level.get(keys[index]) }
      }
      blocked += time
      blackHole(try await get.value)
    }
    return blocked / Double(count)
  }
}
