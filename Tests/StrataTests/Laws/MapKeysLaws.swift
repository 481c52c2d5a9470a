import XCTest

@testable import Strata

/// `<^>` is contravariant in the key.
final class MapKeysLaws: XCTestCase {
  private static let domain = Law.Domain(stored: 0..<8)
  private let twice: @Sendable (Int) -> Int = { $0 * 2 }
  private let next: @Sendable (Int) -> Int = { $0 + 1 }
  private let halved: @Sendable (Int) -> Int = { $0 / 2 }
  /// Injective where it does not throw.
  private let partial: @Sendable (Int) throws -> Int = { key in
    guard key != 1 else { throw ScriptError(level: -1, key: key, isMiss: false) }
    return key + 3
  }

  private func hold(
    _ name: String, isSequential: Bool = false, _ left: @escaping Law.Build,
    _ right: @escaping Law.Build, line: UInt = #line
  ) {
    let law = Law(
      name: name, domain: Self.domain, isSequential: isSequential, left: left, right: right)
    XCTAssertNil(law.counterexample()?.description, line: line)
  }

  func testTheIdentityChangesNothing() {
    hold("id <^> a == a") {
      { $0 } <^> $0[0]
    } _: {
      $0[0]
    }
    hold("id <^> (a + b) == a + b") {
      { $0 } <^> ($0[0] + $0[1])
    } _: {
      $0[0] + $0[1]
    }
  }

  func testTwoMapsAreOneMapOfBoth() {
    let (twice, next) = (twice, next)
    hold("f <^> (g <^> a) == (f >>> g) <^> a") {
      next <^> (twice <^> $0[0])
    } _: {
      { twice(next($0)) } <^> $0[0]
    }
    hold("f <^> g <^> a needs no brackets") {
      next <^> twice <^> $0[0]
    } _: {
      next <^> (twice <^> $0[0])
    }
  }

  func testAMapOfASumIsTheSumOfTheMapsWhereInjective() {
    let twice = twice
    hold("f <^> (a + b) == f <^> a + f <^> b") {
      twice <^> ($0[0] + $0[1])
    } _: {
      twice <^> $0[0] + twice <^> $0[1]
    }
  }

  func testAMapThatThrowsIsDistributedToo() {
    // One operation at a time: inside the sum, a key that has no image still waits for a clear.
    let partial = partial
    hold("f <^> (a + b) == f <^> a + f <^> b, f throws", isSequential: true) {
      partial <^> ($0[0] + $0[1])
    } _: {
      partial <^> $0[0] + partial <^> $0[1]
    }
  }

  func testKeysAndValuesMapInEitherOrder() {
    let partial = partial
    let codec = Codec<Int, Int>.fragile
    hold("(f <^> a) <*> t == f <^> (a <*> t)") {
      (partial <^> $0[0]) <*> codec
    } _: {
      partial <^> ($0[0] <*> codec)
    }
    hold("the same of a fetcher") {
      ((partial <^> $0[0].fetcher) <*> codec).cache
    } _: {
      (partial <^> ($0[0].fetcher <*> codec)).cache
    }
    hold("the same of a fetcher as a cache") {
      (partial <^> $0[0].fetcher.cache) <*> codec
    } _: {
      partial <^> ($0[0].fetcher.cache <*> codec)
    }
  }

  func testATransformerThatAnswersAtOnceIsAFunction() {
    let partial = partial
    hold("a.mapKeys(Transformer(f)) == f <^> a") {
      $0[0].mapKeys(Transformer(partial))
    } _: {
      partial <^> $0[0]
    }
  }

  func testAMapThatIsNotInjectiveIsToldApart() {
    let halved = halved
    let near = Law(
      name: "f <^> (a + b) == f <^> a + f <^> b, f not injective",
      left: { halved <^> ($0[0] + $0[1]) }, right: { halved <^> $0[0] + halved <^> $0[1] })
    XCTAssertNotNil(near.counterexample(cases: 20_000))
  }

  func testMapsInTheWrongOrderAreToldApart() {
    let (twice, next) = (twice, next)
    let near = Law(
      name: "f <^> (g <^> a) == (g >>> f) <^> a", domain: Self.domain,
      left: { next <^> (twice <^> $0[0]) }, right: { { next(twice($0)) } <^> $0[0] })
    XCTAssertNotNil(near.counterexample())
  }
}
