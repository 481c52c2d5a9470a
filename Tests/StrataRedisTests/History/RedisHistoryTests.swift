import Foundation
import StrataLaws
import XCTest

@testable import Strata
@testable import StrataRedis

/// Four processes, each with memory over Redis over an origin, and the history of their reads.
///
/// Short unless `STRATA_LONG` is set in the environment.
final class RedisHistoryTests: RedisCase {
  private static let variable = "STRATA_REDIS_CHILD"
  private var isLong: Bool { ProcessInfo.processInfo.environment["STRATA_LONG"] == "1" }

  /// The staleness that `following` promises with these settings, which is the heartbeat plus the
  /// deadline.
  private static let bound = 2_000

  private struct Child: Codable {
    let number: Int
    /// One server, or some servers of a cluster.
    let addresses: [String]
    let isCluster: Bool
    let prefix: String
    let oracle: String
    let operations: Int
  }

  /// One of the processes: this test alone, started by another one.
  func testOneProcess() throws {
    guard let text = ProcessInfo.processInfo.environment[Self.variable],
      let child = try? JSONDecoder().decode(Child.self, from: Data(text.utf8))
    else { throw XCTSkip("runs only as the child of another test") }
    let worker = HistoryWorker(
      number: child.number,
      server: child.isCluster
        ? RedisServer(cluster: child.addresses) : RedisServer(child.addresses[0]),
      prefix: child.prefix, oracle: SharedOracle(path: child.oracle))
    let report = worker.run(operations: child.operations)
    print("report " + String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
  }

  private func run(
    on process: RedisProcess, cluster: RedisClusterProcess? = nil, operations: Int,
    meanwhile: (() -> Void)? = nil
  ) throws -> HistoryReport {
    let addresses = cluster?.servers.map(\.address) ?? [process.address]
    let oracle = process.folder.appendingPathComponent("oracle-\(UUID().uuidString)").path
    _ = SharedOracle(path: oracle)
    let children = try (0..<4).map { number in
      let child = Child(
        number: number, addresses: addresses, isCluster: cluster != nil, prefix: prefix,
        oracle: oracle, operations: operations)
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["StrataRedisTests.RedisHistoryTests/testOneProcess"]
      process.environment = ProcessInfo.processInfo.environment.merging([
        Self.variable: String(decoding: try JSONEncoder().encode(child), as: UTF8.self)
      ]) { $1 }
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      return (process, pipe.fileHandleForReading)
    }
    while let meanwhile, children.contains(where: { $0.0.isRunning }) { meanwhile() }
    let reports = try children.map { process, output in
      let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("report ") }
      return try JSONDecoder().decode(
        HistoryReport.self, from: Data(try XCTUnwrap(line).dropFirst(7).utf8))
    }
    return reports.reduce(HistoryReport(), +)
  }

  private func check(_ report: HistoryReport, _ name: String, line: UInt = #line) {
    print("\(name): \(report)")
    XCTAssertEqual(report.wrong, 0, line: line)
    XCTAssertEqual(report.stale, 0, line: line)
    // A report passes through several threads, so heartbeats and deadlines are as late as the
    // threads of all processes.
    XCTAssertLessThanOrEqual(
      report.stalestMilliseconds, Self.bound + 10 * report.latestMilliseconds, line: line)
    XCTAssertGreaterThan(report.hits, 0, line: line)
  }

  func testFourProcessesNeverFindAWrongOrStaleValue() throws {
    let report = try run(on: process, operations: isLong ? 1_250_000 : 10_000)
    check(report, "four processes")
    XCTAssertEqual(report.errors - report.timeouts, 0)
    // A machine with such delays can't meet a deadline of one second.
    if report.latestMilliseconds < 100 { XCTAssertEqual(report.timeouts, 0) }
  }

  func testConnectionsThatAreKilledLoseNoLaw() throws {
    let raw = try raw()
    let report = try run(on: process, operations: isLong ? 250_000 : 5_000) {
      raw.send("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
      usleep(30_000)
    }
    check(report, "killed connections")
  }

  func testAServerThatStopsAndRestartsLosesNoLaw() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    var generator = SeededGenerator(seed: 7)
    let report = try run(on: process, operations: isLong ? 250_000 : 5_000) {
      usleep(.random(in: 100_000...400_000, using: &generator))
      if Bool.random(using: &generator) {
        kill(process.processID, SIGSTOP)
        usleep(.random(in: 10_000...1_500_000, using: &generator))
        kill(process.processID, SIGCONT)
      } else {
        process.stop()
        usleep(.random(in: 1_000...300_000, using: &generator))
        try? process.start()
      }
    }
    check(report, "a server that stops and restarts")
  }
}

extension RedisHistoryTests /* : in a cluster */ {
  func testFourProcessesInAClusterNeverFindAWrongOrStaleValue() throws {
    let cluster = try RedisClusterProcess.shared()
    let report = try run(
      on: process, cluster: cluster, operations: isLong ? 1_250_000 : 4_000)
    check(report, "four processes in a cluster")
    XCTAssertEqual(report.errors - report.timeouts, 0)
  }

  /// Only by hand: a loaded machine makes replicas take over from primaries that aren't dead.
  func testAKilledPrimaryLosesNoLaw() throws {
    guard isLong else { throw XCTSkip("runs only with STRATA_LONG=1") }
    let cluster = try RedisClusterProcess(timeout: 2_000, isFailingOver: true)
    defer { cluster.remove() }
    var generator = SeededGenerator(seed: 7)
    var times: [Int] = []
    let report = try run(on: process, cluster: cluster, operations: 250_000) {
      usleep(.random(in: 1_000_000...3_000_000, using: &generator))
      let victim = Int.random(in: 0..<6, using: &generator)
      guard cluster.isPrimary(victim) else { return }
      cluster.servers[victim].stop()
      let start = runningNanoseconds()
      RedisCase.wait { cluster.answersForAllSlots }
      times.append(Int((runningNanoseconds() - start) / 1_000_000))
      try? cluster.servers[victim].start()
      RedisCase.wait { cluster.isHealthy }
    }
    print("killed primaries: \(times.count), ms until all slots answered: \(times.sorted())")
    check(report, "a cluster whose primaries are killed")
  }
}

/// The operations of one process, on two threads.
private final class HistoryWorker: Sendable {
  private let number: Int
  private let oracle: SharedOracle
  private let service: Cache<String, Data>
  private let below: Cache<String, Data>
  private let loads = Lock(0)

  init(number: Int, server: RedisServer, prefix: String, oracle: SharedOracle) {
    (self.number, self.oracle) = (number, oracle)
    let loads = loads
    let origin = Fetcher<String, Data> { name in
      loads.withLock { $0 += 1 }
      let key = Int(name.dropFirst()) ?? 0
      return Self.value(key, oracle.origin(key))
    }
    below = .redis(server, prefix: prefix) + origin
    service =
      .memory(capacity: 48).following(server, prefix: prefix) + .redis(server, prefix: prefix)
      + origin
  }

  private static func value(_ key: Int, _ version: Int) -> Data {
    Data("\(key) \(version) \(String(repeating: "\(version)", count: key % 5))".utf8)
  }

  /// Returns the version of a value, or `nil` if no process stored these bytes under the key.
  private static func version(_ data: Data, _ key: Int) -> Int? {
    let words = String(decoding: data, as: UTF8.self).split(separator: " ")
    guard words.count >= 2, let version = Int(words[1]), value(key, version) == data else {
      return nil
    }
    return version
  }

  func run(operations: Int) -> HistoryReport {
    let (reports, isOver, latest) = (Lock(HistoryReport()), Lock(false), Lock(0))
    let watch = DispatchGroup()
    watch.enter()
    Thread.detachNewThread {
      while !isOver.withLock({ $0 }) {
        let start = runningNanoseconds()
        usleep(2_000)
        let late = Int((runningNanoseconds() - start) / 1_000_000)
        latest.withLock { $0 = max($0, late) }
      }
      watch.leave()
    }
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      let report = self.run(thread, operations / 2)
      reports.withLock { $0 = $0 + report }
    }
    var report = reports.withLock { $0 }
    isOver.withLock { $0 = true }
    watch.wait()
    report.latestMilliseconds = latest.withLock { $0 }
    report.loads = loads.withLock { $0 }
    return report
  }

  private func run(_ thread: Int, _ operations: Int) -> HistoryReport {
    var generator = SeededGenerator(seed: UInt64(number * 2 + thread))
    var report = HistoryReport()
    for _ in 0..<operations {
      report.operations += 1
      let start = runningNanoseconds()
      let key = Int.random(in: 0..<SharedOracle.keys, using: &generator)
      // Each key has one writer among the eight threads.
      let own = key - key % 8 + number * 2 + thread
      switch Int.random(in: 0..<1000, using: &generator) {
      case 0..<20: write(own, &report) { $0.set(Self.value(own, $1), for: "k\(own)") }
      case 20..<30: write(own, &report) { service, _ in service.remove("k\(own)") }
      case 30 where number == 0:
        do { try service.clear().result() } catch { report.note(error) }
      case 31..<150: read(key, below, isBelow: true, &report)
      default: read(key, service, isBelow: false, &report)
      }
      let milliseconds = Int((runningNanoseconds() - start) / 1_000_000)
      report.slowestMilliseconds = max(report.slowestMilliseconds, milliseconds)
    }
    return report
  }

  private func write(
    _ key: Int, _ report: inout HistoryReport,
    _ write: (Cache<String, Data>, _ version: Int) -> Promise<Void>
  ) {
    let version = oracle.begin(key)
    do {
      try write(service, version).result()
      oracle.acknowledge(key, version)
    } catch { report.note(error) }
  }

  private func read(
    _ key: Int, _ cache: Cache<String, Data>, isBelow: Bool, _ report: inout HistoryReport
  ) {
    let (start, floor) = (runningNanoseconds(), oracle.floor(key))
    let data: Data
    do { data = try cache.get("k\(key)").result() } catch { return report.note(error) }
    guard let version = Self.version(data, key) else {
      report.wrong += 1
      return
    }
    report.hits += 1
    guard version < floor else { return }
    if isBelow { report.stale += 1 }
    let age = Int(oracle.staleness(of: version, key, at: start) / 1_000_000)
    report.stalestMilliseconds = max(report.stalestMilliseconds, age)
  }
}

extension Promise {
  /// The value, for threads that may block.
  @discardableResult
  fileprivate func result() throws -> Value { try wait(for: .seconds(60)) }
}
