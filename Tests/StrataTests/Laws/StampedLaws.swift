import Foundation
import Strata
import StrataLaws
import XCTest

/// Codecs don't change the stamps of values.
final class StampedLaws: XCTestCase {
  func testLiftingACodecIsAFunctorAndKeepsTheAge() throws { try Laws.check(.stamps) }

  func testStampedCodecsRoundTrip() throws {
    let codec: Codec<Stamped<Data>, Stamped<String>> = .stamped(.utf8)
    try Laws.check(
      .codec("stamped", codec) { random in
        let born = TimeSource.Instant(sinceEpoch: .nanoseconds(Int(random.next() >> 2)))
        return Stamped(
          "\(random.next())", storedAt: born, lasting: .milliseconds(random.next() >> 40))
      })
  }

  func testStampedValuesAreCodable() throws {
    let codec: Codec<Data, Stamped<[Int]>> = .json()
    try Laws.check(
      .codec("json of stamped", codec) { random in
        let born = TimeSource.Instant(sinceEpoch: .nanoseconds(Int(random.next() >> 2)))
        return Stamped(
          [Int(random.next() >> 20)], storedAt: born,
          expiresAt: Bool.random(using: &random) ? born : nil)
      })
  }
}
