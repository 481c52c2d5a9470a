import Foundation
import Strata
import StrataLaws
import XCTest

/// Codecs don't change the stamps of values.
final class StampedLaws: XCTestCase {
  func testLiftingACodecIsAFunctorAndKeepsTheAge() async throws { try await checkTogether(.stamps) }

  func testStampedCodecsRoundTrip() async throws {
    let codec: Codec<Stamped<Data>, Stamped<String>> = .stamped(.utf8)
    try await checkTogether(
      .codec("stamped", codec) { random in
        let born = TimeSource.Instant(sinceEpoch: .nanoseconds(Int(random.next() >> 2)))
        return Stamped(
          "\(random.next())", storedAt: born, lasting: .milliseconds(random.next() >> 40))
      })
  }

  func testStampedValuesAreCodable() async throws {
    let codec: Codec<Data, Stamped<[Int]>> = .json()
    try await checkTogether(
      .codec("json of stamped", codec) { random in
        let born = TimeSource.Instant(sinceEpoch: .nanoseconds(Int(random.next() >> 2)))
        return Stamped(
          [Int(random.next() >> 20)], storedAt: born,
          expiresAt: Bool.random(using: &random) ? born : nil)
      })
  }
}
