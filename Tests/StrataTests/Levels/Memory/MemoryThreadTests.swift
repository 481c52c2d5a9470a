import Foundation
import Synchronization
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests a level that several threads use at the same time.
final class MemoryThreadTests: XCTestCase {
  /// Runs `body` on several threads, and waits until all threads have finished.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: count) { body($0) }
  }

  func testEightThreadsHitAsOftenAsOne() {
    let trace = Traces.zipf(Extent.rounds(100_000, full: 400_000))
    let alone = Traces.hitRatio(trace, capacity: 500)
    let store = MemoryStore<Int, Int>(capacity: 500, cost: nil, seed: 1)
    let race = Race()
    onThreads(8) { _ in
      while true {
        let next = race.index.add(1, ordering: .relaxed).oldValue
        guard next < trace.count else { return }
        let key = trace[next]
        if store.value(for: key) != nil {
          race.hits.add(1, ordering: .relaxed)
        } else {
          store.set(key, for: key)
        }
      }
    }
    let ratio = Double(race.hits.load(ordering: .relaxed)) / Double(trace.count)
    XCTAssertEqual(ratio, alone, accuracy: 0.005)
  }

  func testALevelNeverExceedsItsCapacity() {
    let rounds = Extent.rounds(10_000, full: 200_000)
    let stores = [
      MemoryStore<Int, Int>(capacity: 300, cost: nil, seed: 1),
      MemoryStore<Int, Int>(capacity: 300, cost: { $0 % 50 }, seed: 1),
    ]
    for store in stores {
      onThreads(8) { thread in
        var random = SeededGenerator(stream: thread)
        for _ in 0..<rounds {
          let key = Int.random(in: 0..<2000, using: &random)
          switch Int.random(in: 0..<20, using: &random) {
          case 0: _ = store.remove(key)
          case 1 where thread == 0: store.removeAll()
          case 2 where thread == 1: store.respond(to: .trim(to: 0.5)) { _, _, _ in }
          default:
            if let value = store.value(for: key) { XCTAssertEqual(value % 2000, key) }
            store.set(key + 2000 * thread, for: key)
          }
          if store.total > 300 { return XCTFail("holds \(store.total)") }
        }
      }
    }
  }

  /// While an eviction waits for the victim's shard, another thread can use the new entry's shard.
  func testAnEvictionWaitsForTheVictimsShardAndHoldsNoOtherShard() {
    let store = MemoryStore<Int, Int>(capacity: 1, cost: nil, seed: 1)
    let old = (0..<1000).min { store.hash($0) < store.hash($1) } ?? 0
    let new = (0..<1000).max { store.hash($0) < store.hash($1) } ?? 0
    let (oldHash, newHash) = (store.hash(old), store.hash(new))
    let (first, last) = (store.shard(of: oldHash), store.shard(of: newHash))
    let (hasShard, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isAdmitted = Flag()
    store.set(1, for: old)
    acquire(&first.pointee.mutex)
    DispatchQueue.global().async {
      let shard = store.shard(of: newHash)
      acquire(&shard.pointee.mutex)
      hasShard.signal()
      let admission = store.policy.tryLock()?.pointee
        .admit(
          newHash, cost: 1, into: shard, at: store.search(new, newHash, in: shard).index,
          of: store.shards)
      isAdmitted.isSet.store(true, ordering: .relaxed)
      if let admission {
        store.keyPointer(admission.node).initialize(to: new)
        store.valuePointer(admission.node).initialize(to: 2)
      }
      store.policy.unlock()
      release(&shard.pointee.mutex)
      hasEnded.signal()
    }
    hasShard.wait()
    acquire(&last.pointee.mutex)
    XCTAssertFalse(isAdmitted.isSet.load(ordering: .relaxed))
    XCTAssertEqual(first.pointee.count, 1)
    release(&last.pointee.mutex)
    release(&first.pointee.mutex)
    hasEnded.wait()
    XCTAssertNil(store.value(for: old))
    XCTAssertEqual(store.value(for: new), 2)
  }

  /// A returned value stays intact while its entry is overwritten, evicted, and cleared.
  func testValuesStayIntactDuringOverwritesAndEvictions() {
    let reads = Extent.rounds(50_000, full: 14_000_000)
    let store = MemoryStore<String, Pair>(capacity: 64, cost: nil, seed: 1)
    let keys = (0..<128).map { "https://example.com/images/of/some/\($0)" }
    let isOver = Flag()
    onThreads(5) { thread in
      var random = SeededGenerator(stream: thread)
      if thread == 0 {
        while !isOver.isSet.load(ordering: .relaxed) {
          let number = Int(random.next() & 127)
          store.set(Pair(Int(random.next() >> 32)), for: keys[number])
          if random.next() & 0xffff == 0 { store.removeAll() }
        }
        return
      }
      for _ in 0..<reads {
        guard let pair = store.value(for: keys[Int(random.next() & 127)]) else { continue }
        if pair.first != ~pair.second.number { return XCTFail("a value in pieces") }
      }
      isOver.isSet.store(true, ordering: .relaxed)
    }
  }
}

private final class Race: Sendable {
  let index = Atomic(0)
  let hits = Atomic(0)
}

private final class Flag: Sendable {
  let isSet = Atomic(false)
}

private final class Pair: Sendable {
  final class Half: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  let first: Int
  let second: Half

  init(_ number: Int) { (first, second) = (~number, Half(number)) }
}
