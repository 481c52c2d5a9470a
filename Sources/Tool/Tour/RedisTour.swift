import Foundation
import Strata
import StrataRedis

/// A demonstration of the laws that hold across machines. Two pipelines use the same server.
struct RedisTour: Sendable {
  private struct Step: Sendable {
    let title: String
    let act: @Sendable (RedisTour) async throws -> Void
  }

  private let address: String
  private let prefix = "strata-tour-\(UUID().uuidString):"
  private let (here, there): (RedisServer, RedisServer)

  init(_ address: String) throws {
    self.address = address
    (here, there) = (try RedisServer(address), try RedisServer(address))
  }

  private func level(_ server: RedisServer, patience: Duration? = nil) -> Cache<String, Data> {
    .redis(server, prefix: prefix, waitingForLoads: patience)
  }

  private func followed(_ server: RedisServer) -> Cache<String, Data> {
    .memory().following(server, prefix: prefix)
  }

  /// Runs all steps and returns the exit status.
  func run(on console: Console) async throws -> ExitStatus {
    let table = TextTable(
      columns: [
        .init(title: "#", width: 2, isNumber: true), .init(title: "step", width: 58),
        .init(title: "time", width: 10, isNumber: true), .init(title: "verdict", width: 7),
      ], isColored: console.isColored)
    let plan = (followed(here) + level(here)).plan
    try console.print("Two pipelines over \(here), each:\n\n  \(plan)\n\n\(table.header)")
    var failures = 0
    for (index, step) in Self.steps.enumerated() {
      let start = ContinuousClock.now
      var fault: String?
      do { try await step.act(self) } catch { fault = "\(error)" }
      let time = start.duration(to: .now).inMilliseconds
      try console.print(
        table.row([
          .init("\(index + 1)"), .init(step.title), .init(time),
          fault == nil ? .init("ok", .green) : .init("FAILED", .red),
        ]))
      if let fault {
        failures += 1
        try console.print(table.note(fault, .red))
      }
    }
    _ = try? await level(here).removeAll()
    return failures == 0 ? .success : .failure
  }

  private func check(_ cache: Cache<String, Data>, _ key: String, _ text: String?) async throws {
    let found = try await cache.findValue(for: key).map { String(decoding: $0, as: UTF8.self) }
    try expect(found == text, "\(key) is \(found ?? "absent") instead of \(text ?? "absent")")
  }

  /// Waits until a condition holds.
  private func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
    for _ in 0..<5_000 {
      if try await condition() { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    throw StepFailure(description: what)
  }
}

extension RedisTour {
  private static let steps = [
    Step(title: "one process sets a value, another reads it") { tour in
      try await tour.level(tour.here).set(Data("1".utf8), for: "a")
      try await tour.check(tour.level(tour.there), "a", "1")
    },
    Step(title: "one process clears, another finds nothing") { tour in
      try await tour.level(tour.there).removeAll()
      try await tour.check(tour.level(tour.here), "a", nil)
    },
    Step(title: "a slow load never replaces another process's set") { tour in
      let (origin, load) = Self.origin()
      let get = (tour.level(tour.here) + origin).get("b")
      let end = try await load()
      try await tour.level(tour.there).set(Data("new".utf8), for: "b")
      end.succeed(Data("old".utf8))
      _ = try await get.value
      // An incorrect back-fill would finish within this time.
      try await Task.sleep(for: .milliseconds(50))
      try await tour.check(tour.level(tour.there), "b", "new")
    },
    Step(title: "one process loads for all") { tour in
      let (origin, load) = Self.origin()
      let gets = [tour.here, tour.there].map {
        (tour.level($0, patience: .seconds(5)) + origin).get("c")
      }
      try await load().succeed(Data("once".utf8))
      for get in gets { _ = try await get.value }
    },
    Step(title: "a write drops the value in another process's memory") { tour in
      let memory = tour.followed(tour.here)
      let pipeline = memory + tour.level(tour.here)
      try await tour.level(tour.there).set(Data("1".utf8), for: "d")
      try await tour.eventually("memory isn't filled") {
        _ = try await pipeline.value(for: "d")
        return try await memory.findValue(for: "d") != nil
      }
      try await tour.level(tour.there).set(Data("2".utf8), for: "d")
      try await tour.eventually("memory isn't emptied") {
        try await memory.findValue(for: "d") == nil
      }
      try await tour.check(pipeline, "d", "2")
    },
    Step(title: "a value keeps its deadline in another process") { tour in
      let now = TimeSource.system.now()
      let here: Cache<String, Stamped<Data>> = .redis(tour.here, prefix: tour.prefix)
      let there: Cache<String, Stamped<Data>> = .redis(tour.there, prefix: tour.prefix)
      try await here.set(Stamped(Data(), storedAt: now, lasting: .milliseconds(150)), for: "e")
      try expect(try await there.findValue(for: "e") != nil, "the value is absent immediately")
      try await Task.sleep(for: .milliseconds(160))
      try expect(try await there.findValue(for: "e") == nil, "the value outlives its deadline")
    },
  ]

  /// Returns an origin, and a function that waits for the origin's next load. When the load has
  /// begun, the caller settles it.
  private static func origin() -> (
    Fetcher<String, Data>, next: () async throws -> Promise<Data>.Continuation
  ) {
    let (loads, continuation) = AsyncStream<Promise<Data>.Continuation>.makeStream()
    let fetcher = Fetcher<String, Data> { _ in Promise { continuation.yield($0) } }
    return (
      fetcher,
      {
        for await load in loads { return load }
        throw StepFailure(description: "the origin received no request")
      }
    )
  }
}
