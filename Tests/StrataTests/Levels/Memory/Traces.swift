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

  /// Returns requests near a position that moves at random.
  static func walk() -> [Int] {
    var random = SeededGenerator(seed: 4)
    var position = 50_000.0
    return (0..<100_000).map { _ in
      position += Double.random(in: -30..<30, using: &random)
      return Int(position + Double.random(in: -350..<350, using: &random))
    }
  }

  /// Returns requests to keys that were requested recently. Each fifth key is new.
  static func stack() -> [Int] {
    var random = SeededGenerator(seed: 6)
    var stack: [Int] = []
    return (0..<100_000).map { number in
      let distance = -300 * log(Double(1 + random.next() >> 11) / 9_007_199_254_740_992)
      let isNew = random.next() % 5 == 0 || Int(distance) >= stack.count
      let key = isNew ? number : stack.remove(at: stack.count - 1 - Int(distance))
      stack.append(key)
      if stack.count > 5000 { stack.removeFirst(2500) }
      return key
    }
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

  /// Returns the fraction of hits of a cache that evicts the least recently used key.
  static func hitRatioOfLRU(_ trace: [Int], capacity: Int) -> Double {
    var uses: [Int: Int] = [:]  // The time of each stored key's last use.
    var log: [Int] = []  // All uses in order. Most of them aren't the last ones of their keys.
    var (oldest, hits) = (0, 0)
    for key in trace {
      if uses[key] != nil { hits += 1 }
      uses[key] = log.count
      log.append(key)
      while uses.count > capacity {
        if uses[log[oldest]] == oldest { uses[log[oldest]] = nil }
        oldest += 1
      }
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
