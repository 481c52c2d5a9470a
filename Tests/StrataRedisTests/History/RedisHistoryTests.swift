import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Runs four processes, and checks the history of their reads. Each process has a memory level
/// above a Redis level above an origin.
///
/// The environment variable `STRATA_LONG` sets the number of operations of each process. Without
/// `STRATA_LONG`, the tests are short.
final class RedisHistoryTests: RedisCase {
  private static let variable = "STRATA_REDIS_CHILD"
  private var long: Int? {
    ProcessInfo.processInfo.environment["STRATA_LONG"].flatMap { Int($0) }
  }

  /// The maximum staleness that `following` promises with these settings, in milliseconds. The
  /// maximum staleness is the sum of the heartbeat interval and the deadline.
  private static let bound = 2_000

  private struct Child: Codable {
    let number: Int
    /// The address of one server, or the addresses of some servers of a cluster.
    let addresses: [String]
    let isCluster: Bool
    let prefix: String
    let oracle: String
    let operations: Int
    /// The file with the authority of the servers' certificates, if they use TLS.
    let authority: String?
  }

  /// Runs in a child process. The other tests start child processes that run only `testOneProcess`.
  func testOneProcess() throws {
    guard let text = ProcessInfo.processInfo.environment[Self.variable],
      let child = try? JSONDecoder().decode(Child.self, from: Data(text.utf8))
    else { throw XCTSkip("runs only as the child of another test") }
    // The server of this process, which the test doesn't use, has another authority.
    if let authority = child.authority { setenv("SSL_CERT_FILE", authority, 1) }
    let worker = HistoryWorker(
      number: child.number,
      server: child.isCluster
        ? try RedisServer(cluster: child.addresses) : try RedisServer(child.addresses[0]),
      prefix: child.prefix, oracle: SharedOracle(path: child.oracle))
    let report = worker.run(operations: child.operations)
    print("report " + String(decoding: try JSONEncoder().encode(report), as: UTF8.self))
  }

  private func run(
    on process: RedisProcess, cluster: RedisClusterProcess? = nil, operations: Int,
    meanwhile: (() -> Void)? = nil
  ) throws -> HistoryReport {
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    guard FileManager.default.isExecutableFile(atPath: executable.path) else {
      throw XCTSkip("Only Linux has the path of this program in /proc.")
    }
    let addresses = cluster?.servers.map(\.address) ?? [process.address]
    let oracle = process.folder.appendingPathComponent("oracle-\(UUID().uuidString)").path
    _ = SharedOracle(path: oracle)
    let children = try (0..<4).map { number in
      let child = Child(
        number: number, addresses: addresses, isCluster: cluster != nil, prefix: prefix,
        oracle: oracle, operations: operations,
        authority: process.securePort == nil ? nil : try Certificates.shared().file)
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = executable
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
    // If the machine delays a thread, a memory level can be stale for longer than the bound. The
    // assertion adds ten times the longest delay, because a report of a write passes through
    // several threads.
    XCTAssertLessThanOrEqual(
      report.stalestMilliseconds, Self.bound + 10 * report.latestMilliseconds, line: line)
    XCTAssertGreaterThan(report.hits, 0, line: line)
  }

  func testFourProcessesNeverFindAWrongOrStaleValue() throws {
    let report = try run(on: process, operations: long ?? 10_000)
    check(report, "four processes")
    XCTAssertEqual(report.errors - report.timeouts, 0)
    // The machine is overloaded if a sleep of 2 ms takes 100 ms or longer. On an overloaded
    // machine, operations can miss their deadline of one second, so the test allows timeouts.
    if report.latestMilliseconds < 100 { XCTAssertEqual(report.timeouts, 0) }
  }

  func testConnectionsThatAreKilledLoseNoLaw() throws {
    let raw = try raw()
    let report = try run(on: process, operations: long ?? 5_000) {
      raw.send("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
      usleep(30_000)
    }
    check(report, "killed connections")
  }

  func testAServerThatStopsAndRestartsLosesNoLaw() throws {
    let process = try RedisProcess()
    defer { process.remove() }
    var generator = SeededGenerator(seed: 7)
    let report = try run(on: process, operations: long ?? 5_000) {
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
      on: process, cluster: cluster, operations: long ?? 4_000)
    check(report, "four processes in a cluster")
    XCTAssertEqual(report.errors - report.timeouts, 0)
  }

  /// Run this test by hand. On a loaded machine, the test can fail because replicas take over from
  /// primaries that are still running.
  func testAKilledPrimaryLosesNoLaw() throws {
    guard let long else { throw XCTSkip("runs only with STRATA_LONG") }
    let cluster = try RedisClusterProcess(timeout: 2_000, isFailingOver: true)
    defer { cluster.remove() }
    var generator = SeededGenerator(seed: 7)
    var times: [Int] = []
    let report = try run(on: process, cluster: cluster, operations: long) {
      usleep(.random(in: 1_000_000...3_000_000, using: &generator))
      let victim = Int.random(in: 0..<6, using: &generator)
      guard cluster.isPrimary(victim) else { return }
      cluster.servers[victim].stop()
      let start = runningNanoseconds()
      RedisCase.wait { cluster.answersForAllSlots }
      times.append(Int((runningNanoseconds() - start) / 1_000_000))
      try? cluster.restart(victim)
      RedisCase.wait { cluster.isHealthy }
    }
    print("killed primaries: \(times.count), ms until all slots answered: \(times.sorted())")
    check(report, "a cluster whose primaries are killed")
  }
}
