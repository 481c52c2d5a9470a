import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Sequences of keys to replay, generated from seeds or read from a directory of real traces.
enum Traces {
  /// Returns keys with a Zipf distribution: the popularity of a key falls with its rank.
  static func zipf(_ count: Int = 100_000) -> [Int] {
    var random = SeededGenerator(seed: 1)
    return (0..<count).map { _ in zipf(&random) }
  }

  /// Returns a sequence that repeats the same thousand keys.
  static func loop() -> [Int] { (0..<50_000).map { $0 % 1000 } }

  /// Returns a thousand keys in ascending and then descending order, again and again.
  static func zigzag() -> [Int] { (0..<100_000).map { abs($0 % 1998 - 999) } }

  /// Returns requests to a range of a thousand keys, a few of which are popular. After every
  /// thousand requests, the range of requested keys moves up by 50.
  static func shift() -> [Int] {
    var random = SeededGenerator(seed: 3)
    return (0..<100_000).map { $0 / 1000 * 50 + zipf(&random) / 10 }
  }

  /// Returns popular keys, interrupted by scans of keys that occur only once.
  static func zipfWithScans() -> [Int] {
    var random = SeededGenerator(seed: 2)
    return (0..<20).flatMap { round in
      (0..<4000).map { _ in zipf(&random) } + (0..<1000).map { 20_000 + round * 1000 + $0 }
    }
  }

  private static func zipf(_ random: inout SeededGenerator) -> Int {
    Int(exp(Double(random.next() >> 11) / 9_007_199_254_740_992 * log(10_000)))
  }

  /// Replays a trace: gets each key, and sets the key after a miss. Returns the fraction of hits.
  static func hitRatio(_ trace: [Int], capacity: Int, seed: UInt64 = 1) -> Double {
    let store = MemoryStore<Int, Int>(capacity: capacity, cost: nil, seed: seed)
    var hits = 0
    for key in trace {
      if store.value(for: key) != nil { hits += 1 } else { store.set(key, for: key) }
    }
    return Double(hits) / Double(trace.count)
  }

  /// Returns the directory that the environment variable `STRATA_TRACES` names.
  static func folder() throws -> URL {
    guard let path = ProcessInfo.processInfo.environment["STRATA_TRACES"] else {
      throw XCTSkip("STRATA_TRACES names no folder")
    }
    return URL(fileURLWithPath: path)
  }

  /// Returns the keys of a compressed trace. Each line of the trace is a number.
  static func read(_ file: URL) throws -> [Int] {
    #if os(Linux) || os(macOS)
      let gzip = Process()
      let pipe = Pipe()
      gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      gzip.arguments = ["gzip", "-dc", file.path]
      gzip.standardOutput = pipe
      try gzip.run()
      let text = pipe.fileHandleForReading.readDataToEndOfFile()
      gzip.waitUntilExit()
      return text.split(separator: UInt8(ascii: "\n")).map { line in
        line.reduce(0) { $1 < 48 ? $0 : $0 * 10 + Int($1 - 48) }
      }
    #else
      throw XCTSkip("iOS starts no processes")
    #endif
  }
}
