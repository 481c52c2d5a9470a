import XCTest

@testable import Strata

/// `<*>` is invariant in the value.
final class MapValuesLaws: XCTestCase {
  private func law(
    _ name: String, _ left: @escaping Law.Build, _ right: @escaping Law.Build
  ) -> Law {
    Law(name: name, left: left, right: right)
  }

  private func hold(
    _ name: String, _ left: @escaping Law.Build, _ right: @escaping Law.Build, line: UInt = #line
  ) {
    XCTAssertNil(law(name, left, right).counterexample()?.description, line: line)
  }

  func testTheIdentityChangesNothing() {
    hold("a <*> .identity == a") {
      $0[0] <*> .identity
    } _: {
      $0[0]
    }
    hold("(a + b) <*> .identity == a + b") {
      ($0[0] + $0[1]) <*> .identity
    } _: {
      $0[0] + $0[1]
    }
  }

  func testTwoCodecsAreOneCodecOfBoth() {
    let (s, t) = (Codec<Int, Int>.fragile, Codec<Int, Int>.shifted)
    hold("(a <*> s) <*> t == a <*> (s >>> t)") {
      ($0[0] <*> s) <*> t
    } _: {
      $0[0] <*> (s >>> t)
    }
    hold("a <*> s >>> t needs no brackets") {
      $0[0] <*> s >>> t
    } _: {
      $0[0] <*> (s >>> t)
    }
    hold("the same of a fetcher") {
      (($0[0].fetcher <*> s) <*> t).cache
    } _: {
      ($0[0].fetcher <*> (s >>> t)).cache
    }
  }

  func testACodecOfASumIsTheSumOfTheCodecsWhereItCannotFail() {
    let t = Codec<Int, Int>.shifted
    hold("(a + b) <*> t == a <*> t + b <*> t") {
      ($0[0] + $0[1]) <*> t
    } _: {
      $0[0] <*> t + $0[1] <*> t
    }
    hold("the same above a fetcher") {
      ($0[0] + $0[1].fetcher) <*> t
    } _: {
      $0[0] <*> t + $0[1].fetcher <*> t
    }
  }

  func testAFunctionOfAFetcherReadsAsTheCodecDoes() {
    hold("fetcher <*> f == fetcher <*> t") {
      ($0[0].fetcher <*> { $0 + 10 }).cache
    } _: {
      ($0[0].fetcher <*> .shifted).cache
    }
  }

  func testACodecThatCanFailIsToldApartOutsideASum() {
    // Outside, the first level that answers decides; inside, the next one heals it.
    let t = Codec<Int, Int>.fragile
    let near = law("(a + b) <*> t == a <*> t + b <*> t, t fails") {
      ($0[0] + $0[1]) <*> t
    } _: {
      $0[0] <*> t + $0[1] <*> t
    }
    XCTAssertNotNil(near.counterexample())
  }

  func testACodecThatForgetsIsToldApartOutsideASum() {
    // A back-fill writes what was decoded, so a codec that loses something writes less.
    let t = Codec<Int, Int>(decode: { $0 / 2 }, encode: { $0 * 2 })
    let near = law("(a + b) <*> t == a <*> t + b <*> t, t forgets") {
      ($0[0] + $0[1]) <*> t
    } _: {
      $0[0] <*> t + $0[1] <*> t
    }
    XCTAssertNotNil(near.counterexample())
  }
}

extension Codec where Stored == Int, Value == Int {
  /// Round-trips in both directions and never fails.
  static var shifted: Codec { Codec(decode: { $0 + 10 }, encode: { $0 - 10 }) }

  /// Cannot read a stored 1, and cannot write a 12.
  static var fragile: Codec {
    Codec(
      decode: { stored in
        guard stored != 1 else { throw CacheError.undecodable(by: "fragile", reason: "1") }
        return stored + 10
      },
      encode: { value in
        guard value != 12 else { throw CacheError.unencodable(by: "fragile", reason: "12") }
        return value - 10
      })
  }
}
