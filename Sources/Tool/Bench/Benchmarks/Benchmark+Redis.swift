import Foundation
import Strata
import StrataRedis

extension Benchmark {
  /// Benchmarks that compare a Redis level with a client that uses a blocking socket. Both read
  /// from a server on this machine, with the same number of requests in flight.
  ///
  /// Without an installed server, the tables are empty.
  static let redis = [100, 10 << 10].flatMap { size in
    [oneAtATime(size), manyTasks(size), many(size)]
  }

  private static let count = 100

  /// A server that contains values, and a cache that uses the server. Its methods `gets(_:)` and
  /// `bulkGet()` create benchmark cases that read the values through a blocking socket.
  private struct Shelf: Sendable {
    let server: RedisBaseline
    let cache: Cache<String, Data>
    let names: [String]
    let size: Int

    init?(_ size: Int) async throws {
      guard let server = try RedisBaseline() else { return nil }
      (self.server, self.size) = (server, size)
      names = (0..<count).map { "key \($0)" }
      cache = .redis(try RedisServer(server.address, deadline: .seconds(10)), prefix: "bench:")
      for name in names { try await cache.set(Data(count: size), for: name) }
    }

    /// The size of a reply in bytes. Replies consist of a header, the value, the value's trailer,
    /// and a line break.
    private var reply: Int { size + 33 + "$\(size + 33)\r\n\r\n".utf8.count }

    func gets(_ depth: Int) -> BenchmarkCase {
      let requests = names.prefix(depth).map { RedisBaseline.request(["GET", "bench:" + $0]) }
      let (bytes, server) = (Array(requests.joined()), server)
      let expected = depth * reply
      return BenchmarkCase(name: "blocking socket, \(depth) in flight", operationsEach: depth) {
        for _ in 0..<$0 { server.exchange(bytes, bytes: expected) }
      }
    }

    func bulkGet() -> BenchmarkCase {
      let request = RedisBaseline.request(["MGET"] + names.map { "bench:" + $0 })
      let (server, expected) = (server, "*\(count)\r\n".utf8.count + count * reply)
      return BenchmarkCase(name: "blocking socket, MGET", operationsEach: count) {
        for _ in 0..<$0 { server.exchange(request, bytes: expected) }
      }
    }
  }

  private static func text(_ size: Int) -> String {
    size < 1024 ? "\(size) B" : "\(size >> 10) KiB"
  }

  private static func oneAtATime(_ size: Int) -> Benchmark {
    Benchmark(.redis, "get of \(text(size)), one at a time") { _ in
      guard let shelf = try await Shelf(size) else { return [] }
      return [
        shelf.gets(1),
        BenchmarkCase(name: "redis level", targets: [.ratio(must: 2, aim: 1.3)]) { count in
          for index in 0..<count {
            blackHole(try await shelf.cache.get(shelf.names[index % Self.count]).value)
          }
        },
      ]
    }
  }

  private static func manyTasks(_ size: Int) -> Benchmark {
    Benchmark(.redis, "get of \(text(size)), 64 tasks") { _ in
      guard let shelf = try await Shelf(size) else { return [] }
      return [
        shelf.gets(64),
        BenchmarkCase(
          name: "redis level", targets: [.ratio(must: 2, aim: 1.3)], operationsEach: 64
        ) { count in
          await withTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
              group.addTask {
                for _ in 0..<count {
                  blackHole(try? await shelf.cache.get(shelf.names[task]).value)
                }
              }
            }
          }
        },
        BenchmarkCase(name: "redis level, one at a time") { count in
          for index in 0..<count {
            blackHole(try await shelf.cache.get(shelf.names[index % Self.count]).value)
          }
        },
      ]
    }
  }

  private static func many(_ size: Int) -> Benchmark {
    Benchmark(.redis, "outcomes of 100 values of \(text(size))") { _ in
      guard let shelf = try await Shelf(size) else { return [] }
      return [
        shelf.bulkGet(),
        BenchmarkCase(
          name: "redis level", targets: [.ratio(must: 2, aim: 1.3)], operationsEach: Self.count
        ) { count in
          for _ in 0..<count { blackHole(try await shelf.cache.outcomes(for: shelf.names)) }
        },
      ]
    }
  }
}
