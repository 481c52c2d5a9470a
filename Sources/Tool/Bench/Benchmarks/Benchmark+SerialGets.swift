import Foundation
import Strata

extension Benchmark {
  /// One get after another over a kept connection, compared with a C program's loop over libcurl.
  ///
  /// The rows count the processor time, and how often threads went to sleep. The origin is in this
  /// process, but its thread isn't counted.
  static let serialGets = Benchmark(group: .network, title: title) { rounds, scale in
    let origin = try CannedOrigin(delay: .zero)
    defer { origin.stop() }
    let level: Fetcher<URL, Data> = .network(session: NetworkSession())
    let (url, count) = (origin.url, scale.entries(1000))
    let loop = EasyCurl(url)
    var (plain, own): ([Use], [Use]) = ([], [])
    for _ in 0..<rounds {
      if let loop {
        plain.append(try await measure(origin, count) { blackHole(loop.get()) })
      }
      own.append(
        try await measure(origin, count) { blackHole(try await level.value(for: url)) })
    }
    let heap = try await Heap.count {
      for _ in 0..<count { blackHole(try await level.value(for: url)) }
    }
    let allocations = heap.map { Double($0.allocations) / Double(count) }
    let ratios = zip(own, plain).map { $0.time / $1.time }
    return [
      Row(title, "libcurl in a loop", .time, plain.map(\.time), of: .network),
      Row(
        title, "network level", .time, own.map(\.time), of: .network, over: plain.map(\.time),
        allocations: allocations),
      Row(title, "network level / loop", .times, ratios, of: .network, bounds: (2, 1.5)),
      Row(
        title, "sleeps of threads", .sleeps, own.map(\.sleeps), of: .network,
        over: plain.map(\.sleeps), bounds: (2.1, 2.1)),
    ].compactMap { $0 }
  }

  private static let title = "serial get over a kept connection, processor time"

  /// What one get takes: the processor time in nanoseconds, and the number of sleeps.
  private struct Use {
    var time, sleeps: Double
  }

  /// Measures gets after a few gets that open the connection.
  private static func measure(
    _ origin: CannedOrigin, _ count: Int, _ get: () async throws -> Void
  ) async throws -> Use {
    for _ in 0..<3 { try await get() }
    let (time, sleeps, served) = (ProcessorTime.now, VoluntarySwitches.ofThisProcess, origin.use)
    for _ in 0..<count { try await get() }
    let others = origin.use
    let used = ProcessorTime.now - time - (others.time - served.time)
    let slept = VoluntarySwitches.ofThisProcess - sleeps - (others.sleeps - served.sleeps)
    return Use(time: used / .nanoseconds(count), sleeps: Double(slept) / Double(count))
  }
}
