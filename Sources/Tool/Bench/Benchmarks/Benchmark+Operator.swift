import Foundation
import Strata

extension Benchmark {
  /// Hits in a memory level of a million values while an operator shrinks the level, looks into it,
  /// saves it, and restores it.
  ///
  /// In the baseline, the other thread does work that uses no cache. When there are fewer
  /// processors than threads, the scheduler suspends threads for milliseconds. If it suspends a
  /// thread that holds a lock, the other threads wait as long, whatever the session does. So each
  /// thread has its own processor, with up to four readers, and the last row counts only the gets
  /// that waited for a lock.
  static let operating = Benchmark(group: .threads, title: title) { rounds, scale in
    let count = scale.entries(1_000_000)
    let storage = MemoryStorage<Int, Int>(capacity: .count(count))
    let level = Cache.memory(storage)
    for number in 0..<count { _ = level.set(number, number) }
    var (busy, operated): ([Readers.Times], [Readers.Times]) = ([], [])
    for _ in 0..<min(rounds, 5) {
      busy.append(try await Readers.read(level, count / 10) { try await work(scale) })
      operated.append(
        try await Readers.read(level, count / 10) { try await session(storage, count) })
    }
    let hits = busy.map(\.hit)
    let most = (must: 1e6, aim: 1e6)
    return [
      Row(title, "beside other work", .time, hits, of: .threads, over: hits),
      Row(title, "during the session", .time, operated.map(\.hit), of: .threads, over: hits),
      Row(title, "longest, beside other work", .time, busy.map(\.longest), of: .threads),
      Row(title, "longest", .time, operated.map(\.longest), of: .threads),
      Row(
        title, "longest wait for a lock", .time, operated.map(\.longestWait), of: .threads,
        bounds: most),
    ].compactMap { $0 }
  }

  private static let title = "hit, operator's session, a reader on each other processor"

  /// Work that uses no cache.
  private static func work(_ scale: Scale) async throws {
    let end = ContinuousClock.now.advanced(by: scale.sample * 100)
    var number = 1
    while ContinuousClock.now < end {
      for _ in 0..<1_000 { number = number &* 31 &+ 7 }
      blackHole(number)
      await Task.yield()
    }
  }

  private static func session(_ storage: MemoryStorage<Int, Int>, _ count: Int) async throws {
    let saved: Cache<String, Data> = .dictionary()
    let number = Codec<Data, Int>(
      decode: { data in data.withUnsafeBytes { $0.loadUnaligned(as: Int.self) } },
      encode: { number in withUnsafeBytes(of: number) { Data($0) } })
    storage.setCapacity(.count(count / 2))
    blackHole((storage.statistics, storage.hottest(100), storage.coldest(100)))
    blackHole((storage.keys.count, storage.entries.count))
    _ = try await storage.save(into: saved, keys: number, values: number, within: .seconds(60))
    storage.setCapacity(.count(count))
    _ = try await storage.load(from: saved, keys: number, values: number, within: .seconds(60))
  }
}

/// Threads that read a level until some work has ended.
private enum Readers {
  private static let count = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount - 1))

  /// Durations in nanoseconds.
  struct Times: Sendable {
    /// The median of the mean of 256 hits.
    var hit = 0.0
    var longest = 0.0
    /// The duration of the longest get that waited for a lock. When no get has waited, this is the
    /// duration of a hit.
    var longestWait = 0.0
  }

  static func read(
    _ level: Cache<Int, Int>, _ keys: Int, during work: () async throws -> Void
  ) async throws -> Times {
    let (isOver, times) = (Lock(false), Lock<[Times]>([]))
    let done = (0..<count).map { thread in
      Promise<Void> { continuation in
        Thread.detachNewThread {
          let read = read(level, max(1, keys), from: thread * 7_777) { isOver.withLock { $0 } }
          times.withLock { $0.append(read) }
          continuation.succeed(())
        }
      }
    }
    let end: Result<Void, any Error>
    do { end = .success(try await work()) } catch { end = .failure(error) }
    isOver.withLock { $0 = true }
    for thread in done { try await thread.value }
    try end.get()
    let all = times.withLock { $0 }
    let hit = all.map(\.hit).reduce(0, +) / Double(count)
    return Times(
      hit: hit, longest: all.map(\.longest).max() ?? 0,
      longestWait: all.map(\.longestWait).max().map { max($0, hit) } ?? hit)
  }

  private static func read(
    _ level: Cache<Int, Int>, _ keys: Int, from first: Int, until isOver: () -> Bool
  ) -> Times {
    var (times, chunks, key) = (Times(), OperationTimes(), first)
    repeat {
      let (_, chunk) = OperationTimes.timing {
        for _ in 0..<256 {
          key = (key + 7_919) % keys
          blackHole(level.get(key))
        }
      }
      chunks.add(chunk / 256)
      var switches = VoluntarySwitches.ofThisThread
      for _ in 0..<256 {
        key = (key + 7_919) % keys
        let (found, time) = OperationTimes.timing { level.get(key) }
        blackHole(found)
        guard time > times.longest || time > max(20_000, times.longestWait) else { continue }
        times.longest = max(times.longest, time)
        let now = VoluntarySwitches.ofThisThread
        if now > switches { times.longestWait = max(times.longestWait, time) }
        switches = now
      }
    } while !isOver()
    times.hit = chunks.percentiles([0.5])[0]
    return times
  }
}
