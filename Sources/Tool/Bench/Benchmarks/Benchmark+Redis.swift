import Foundation
import Strata
import StrataRedis

extension Benchmark {
  /// Benchmarks that compare a Redis level with hiredis, the C client for Redis. When hiredis isn't
  /// installed, they compare it with a blocking socket. They also compare it with a minimal client
  /// that has a thread of its own, because callers of an asynchronous client can't block. All
  /// clients use a server on this machine, with the same number of requests in flight.
  ///
  /// When no Redis server is installed, the tables are empty.
  static let redis =
    [100, 10 << 10].flatMap { size in
      [Measurement.Meter.time, .processorTime].flatMap { meter in
        [
          gets(size, 1, meter), gets(size, 64, meter), many(size, meter),
          sets(size, 1, meter), sets(size, 64, meter),
        ]
      }
    } + [followedHit]

  private static let count = 100

  /// A server that contains values, a cache that uses the server, and a baseline.
  private struct Shelf: Sendable {
    let server: RedisBaseline
    let thread: HandedOverSocket
    let hiredis: HiRedis?
    let cache: Cache<String, Data>
    let names: [String]
    let size: Int

    init?(_ size: Int) async throws {
      guard let server = try RedisBaseline() else { return nil }
      (self.server, self.size) = (server, size)
      thread = HandedOverSocket(server)
      hiredis = HiRedis(path: String(server.address.dropFirst("unix://".count)))
      names = (0..<count).map { "key \($0)" }
      cache = .redis(try RedisServer(server.address, deadline: .seconds(10)), prefix: "bench:")
      for name in names { try await cache.set(Data(count: size), for: name) }
    }

    private func command(_ words: [String], _ value: Data? = nil) -> [Data] {
      words.map { Data($0.utf8) } + [value].compactMap { $0 }
    }

    /// A case that exchanges commands with the server, all of them in flight at the same time.
    private func baseline(
      _ name: String, _ commands: [[Data]], operations: Int, bytes: Int
    ) -> BenchmarkCase {
      if let hiredis {
        let commands = commands.map { HiRedis.Command($0) }
        return BenchmarkCase(name: "hiredis, \(name)", operationsEach: operations) {
          for _ in 0..<$0 { hiredis.exchange(commands) }
        }
      }
      let requests = Array(commands.map { RedisBaseline.request($0) }.joined())
      let server = server
      return BenchmarkCase(name: "blocking socket, \(name)", operationsEach: operations) {
        for _ in 0..<$0 { server.exchange(requests, bytes: bytes) }
      }
    }

    /// A case in which tasks send the command of each index, one after another, through a thread.
    private func handedOver(_ depth: Int, _ commands: [[Data]], reply: Int) -> BenchmarkCase {
      let (requests, thread) = (commands.map { RedisBaseline.request($0) }, thread)
      return BenchmarkCase(name: Self.thread, operationsEach: depth) { count in
        await Benchmark.run(depth, count) { index in
          blackHole(await thread.exchange(requests[index], reply: reply))
        }
      }
    }

    /// The name of the case that ``handedOver(_:_:reply:)`` makes.
    static let thread = "a thread between"

    /// The size of a reply in bytes. Replies consist of a header, the value, the value's trailer,
    /// and a line break.
    private var reply: Int { size + 33 + "$\(size + 33)\r\n\r\n".utf8.count }

    func gets(_ depth: Int) -> [BenchmarkCase] {
      let commands = names.map { command(["GET", "bench:" + $0]) }
      return [
        baseline(
          "\(depth) in flight", Array(commands.prefix(depth)), operations: depth,
          bytes: depth * reply), handedOver(depth, commands, reply: reply),
      ]
    }

    func sets(_ depth: Int) -> [BenchmarkCase] {
      let (value, reply) = (Data(count: size + 33), "+OK\r\n".utf8.count)
      let commands = names.map { command(["SET", "other:" + $0], value) }
      return [
        baseline(
          "\(depth) in flight", Array(commands.prefix(depth)), operations: depth,
          bytes: depth * reply), handedOver(depth, commands, reply: reply),
      ]
    }

    func bulkGet() -> [BenchmarkCase] {
      let command = command(["MGET"] + names.map { "bench:" + $0 })
      let bytes = "*\(count)\r\n".utf8.count + count * reply
      let (request, thread) = (RedisBaseline.request(command), thread)
      return [
        baseline("MGET", [command], operations: count, bytes: bytes),
        BenchmarkCase(name: Self.thread, operationsEach: count) { rounds in
          for _ in 0..<rounds { blackHole(await thread.exchange(request, reply: bytes)) }
        },
      ]
    }
  }

  private static func title(_ text: String, _ size: Int, _ meter: Measurement.Meter) -> String {
    let bytes = size < 1024 ? "\(size) B" : "\(size >> 10) KiB"
    return text.replacingOccurrences(of: "#", with: bytes)
      + (meter == .time ? "" : ", processor time")
  }

  /// Bounds the processor time, compared with that of a thread between the callers and the server.
  /// Both wake this thread and a caller for each request that isn't sent together with others, and
  /// a blocking client doesn't. Bulk gets have a bound of their own, because nearly all their time
  /// goes to the values: the thread makes none, and the level checks and delivers each.
  private static func targets(_ must: Double, _ meter: Measurement.Meter) -> [Target] {
    meter == .time ? [] : [.ratio(to: Shelf.thread, must: must, aim: 1.5)]
  }

  /// Runs one operation after another in each of several tasks.
  private static func run(
    _ depth: Int, _ count: Int, _ operation: @escaping @Sendable (_ index: Int) async -> Void
  ) async {
    guard depth > 1 else {
      for index in 0..<count { await operation(index % Self.count) }
      return
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<depth {
        group.addTask { for _ in 0..<count { await operation(task) } }
      }
    }
  }

  private static func gets(_ size: Int, _ depth: Int, _ meter: Measurement.Meter) -> Benchmark {
    let text = depth == 1 ? "get of #, one at a time" : "get of #, \(depth) tasks"
    return Benchmark(.redis, title(text, size, meter), meter: meter) { _ in
      guard let shelf = try await Shelf(size) else { return [] }
      return shelf.gets(depth) + [
        BenchmarkCase(
          name: "redis level", targets: targets(2.5, meter), operationsEach: depth
        ) { count in
          await run(depth, count) { index in
            blackHole(try? await shelf.cache.get(shelf.names[index]).value)
          }
        }
      ]
    }
  }

  private static func sets(_ size: Int, _ depth: Int, _ meter: Measurement.Meter) -> Benchmark {
    let text = depth == 1 ? "set of #, one at a time" : "set of #, \(depth) tasks"
    return Benchmark(.redis, title(text, size, meter), meter: meter) { _ in
      guard let shelf = try await Shelf(size) else { return [] }
      let value = Data(count: size)
      return shelf.sets(depth) + [
        BenchmarkCase(
          name: "redis level", targets: targets(2.5, meter), operationsEach: depth
        ) { count in
          await run(depth, count) { index in
            blackHole(try? await shelf.cache.set(value, for: shelf.names[index]))
          }
        }
      ]
    }
  }

  private static func many(_ size: Int, _ meter: Measurement.Meter) -> Benchmark {
    Benchmark(.redis, title("outcomes of 100 values of #", size, meter), meter: meter) { _ in
      guard let shelf = try await Shelf(size) else { return [] }
      return shelf.bulkGet() + [
        BenchmarkCase(
          name: "redis level", targets: targets(3, meter), operationsEach: Self.count
        ) { count in
          for _ in 0..<count { blackHole(try await shelf.cache.outcomes(for: shelf.names)) }
        }
      ]
    }
  }

  /// A hit in a memory level, with and without `following`.
  private static let followedHit = Benchmark(.redis, "hit in a followed memory level") { _ in
    guard let baseline = try RedisBaseline() else { return [] }
    let server = try RedisServer(baseline.address, deadline: .seconds(10))
    let plain = Cache<String, Data>.memory()
    let followed = Cache<String, Data>.memory().following(server, prefix: "followed:")
    let service = followed + .redis(server, prefix: "followed:")
    try await plain.set(Data(count: 100), for: "key")
    try await service.set(Data(count: 100), for: "key")
    for _ in 0..<1_000 where followed.get("key").outcome?.value == nil {
      _ = try await service.get("key").value
      usleep(1_000)
    }
    return [
      BenchmarkCase(name: "memory") { count in
        for _ in 0..<count { blackHole(plain.get("key")) }
      },
      BenchmarkCase(
        name: "memory.following", targets: [.added(to: "memory", steps: 1, must: 10, aim: 5)],
        fault: {
          withExtendedLifetime(baseline) {
            followed.get("key").outcome?.value == nil ? "The value isn't in memory." : nil
          }
        }
      ) { count in
        for _ in 0..<count { blackHole(followed.get("key")) }
      },
    ]
  }
}
