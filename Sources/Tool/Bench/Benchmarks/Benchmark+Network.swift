import Foundation
import Strata

extension Benchmark {
  /// A get of the network level, compared with a request by `URLSession`. Its origin is an HTTP
  /// server in this process.
  static let network = [
    serialGets,
    Benchmark(.network, "get over kept connections, 16 tasks") { _ in
      try Contest(delay: .zero).cases(tasks: 16)
    },
    Benchmark(.network, "1,000 concurrent gets of an origin that takes 10 ms") { scale in
      try Contest(delay: .milliseconds(10)).cases(tasks: scale.entries(1000))
    },
  ]

  /// An origin and two clients.
  private final class Contest: Sendable {
    private let origin: CannedOrigin
    private let session = URLSession(configuration: .ephemeral)
    private let level: Fetcher<URL, Data> = .network(session: NetworkSession())

    init(delay: Duration) throws { origin = try CannedOrigin(delay: delay) }

    deinit {
      session.invalidateAndCancel()
      origin.stop()
    }

    /// Returns the cases. In each sample, every task performs the same number of gets.
    func cases(tasks: Int) -> [BenchmarkCase] {
      let url = origin.url
      return [
        BenchmarkCase(name: "URLSession", operationsEach: tasks) { [self] count in
          try await Self.run(tasks, count) { [session] in
            blackHole(try await session.data(from: url))
          }
        },
        BenchmarkCase(
          name: "network level", targets: [.ratio(must: 1, aim: 0.5)], operationsEach: tasks
        ) { [self] count in
          try await Self.run(tasks, count) { [level] in
            blackHole(try await level.get(url).value)
          }
        },
      ]
    }

    private static func run(
      _ tasks: Int, _ count: Int, _ get: @escaping @Sendable () async throws -> Void
    ) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<tasks {
          group.addTask { for _ in 0..<count { try await get() } }
        }
        try await group.waitForAll()
      }
    }
  }
}
