import Foundation
import StrataLaws

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Runs the operations of one process on two threads.
final class HistoryWorker: Sendable {
  private let number: Int
  private let oracle: SharedOracle
  private let service: Cache<String, Data>
  private let below: Cache<String, Data>
  private let loads = Lock(0)

  init(number: Int, server: RedisServer, prefix: String, oracle: SharedOracle) {
    (self.number, self.oracle) = (number, oracle)
    let loads = loads
    let origin = Fetcher<String, Data>(offMainThread: false) { name in
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
      // Each key is set and removed by only one thread. The four processes have eight threads in
      // total.
      let own = key - key % 8 + number * 2 + thread
      switch Int.random(in: 0..<1000, using: &generator) {
      case 0..<20: write(own, &report) { $0.set("k\(own)", Self.value(own, $1)) }
      case 20..<30: write(own, &report) { service, _ in service.remove("k\(own)") }
      case 30 where number == 0:
        do { try service.clear().result() } catch { note(error, &report) }
      case 31..<150: read(key, below, isBelow: true, &report)
      default: read(key, service, isBelow: false, &report)
      }
      let milliseconds = Int((runningNanoseconds() - start) / 1_000_000)
      report.slowestMilliseconds = max(report.slowestMilliseconds, milliseconds)
    }
    return report
  }

  /// Counts an error, and then waits for 10 ms, so fewer operations fail while no server is
  /// available.
  private func note(_ error: any Error, _ report: inout HistoryReport) {
    report.note(error)
    usleep(10_000)
  }

  private func write(
    _ key: Int, _ report: inout HistoryReport,
    _ write: (Cache<String, Data>, _ version: Int) -> Promise<Void>
  ) {
    let version = oracle.begin(key)
    do {
      try write(service, version).result()
      oracle.acknowledge(key, version)
    } catch { note(error, &report) }
  }

  private func read(
    _ key: Int, _ cache: Cache<String, Data>, isBelow: Bool, _ report: inout HistoryReport
  ) {
    let (start, floor) = (runningNanoseconds(), oracle.floor(key))
    let data: Data
    do { data = try cache.get("k\(key)").result() } catch { return note(error, &report) }
    guard let version = Self.version(data, key) else {
      report.wrong += 1
      return
    }
    report.hits += 1
    guard version < floor else { return }
    let age = Int(oracle.staleness(of: version, key, at: start) / 1_000_000)
    if isBelow {
      report.noteStale("k\(key) had version \(version) and not \(floor), for \(age) ms")
    }
    report.stalestMilliseconds = max(report.stalestMilliseconds, age)
  }
}

extension Promise {
  /// Blocks the thread until the promise settles, and returns the value.
  @discardableResult
  fileprivate func result() throws -> Value { try wait(for: .seconds(60)) }
}
