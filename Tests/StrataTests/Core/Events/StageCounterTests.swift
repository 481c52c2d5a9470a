import Foundation
import XCTest

@testable import StrataCore

final class StageCounterTests: XCTestCase {
  func testHitsOfAllThreadsAddUp() {
    let counter = StageCounter { _ in }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1_000 { counter.stripe.pointee.count(bytes: 3) }
    }
    XCTAssertEqual(counter.counts.hits, 8_000)
    XCTAssertEqual(counter.counts.bytes, 24_000)
    counter.reset()
    XCTAssertEqual(counter.counts.hits, 0)
    XCTAssertEqual(counter.counts.bytes, 0)
  }

  func testStripesShareNoCacheLine() {
    let counter = StageCounter { _ in }
    for index in 0..<StageCounter.stripeCount {
      let address = UInt(bitPattern: counter.pointer(at: index))
      XCTAssertEqual(address % UInt(StageCounter.stride), 0)
    }
    XCTAssertLessThanOrEqual(MemoryLayout<StageCounter.Stripe>.size, StageCounter.stride)
  }

  func testTheFirstGetsAreMeasuredAndThenOneOf64() {
    let counter = StageCounter { _ in }
    let stripe = counter.stripe
    var (measured, represented, first) = (0, 0, 0)
    let count = 64 * 1_000
    for number in 0..<count {
      let weight = stripe.pointee.weight
      if weight > 0 { measured += 1 }
      if weight == 1 { first += 1 }
      represented += weight
      // Every get with a measured duration is reported. A hit without a measured duration is only
      // counted.
      if weight > 0 || number % 3 == 0 {
        stripe.pointee.reported.wrappingAdd(1, ordering: .relaxed)
      } else {
        stripe.pointee.count(bytes: nil)
      }
    }
    XCTAssertEqual(first, 64)
    XCTAssertEqual(measured, 1_063, accuracy: 20)
    XCTAssertEqual(Double(represented), Double(count), accuracy: Double(count) / 50)
  }

  func testALoopOverKeysMeasuresAllOfThem() {
    let counter = StageCounter { _ in }
    for length in [2, 8, 34, 55, 64, 100] {
      counter.reset()
      var seen: Set<Int> = []
      for number in 0..<length * 64 * 50 {
        if number >= 64, counter.stripe.pointee.weight > 0 { seen.insert(number % length) }
        counter.stripe.pointee.count(bytes: nil)
      }
      XCTAssertEqual(seen.count, length, "A loop over \(length) keys should measure each key.")
    }
  }
}
