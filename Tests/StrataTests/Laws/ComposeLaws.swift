import XCTest

@testable import Strata

/// The monoid of caches under `+`.
final class ComposeLaws: XCTestCase {
  private func hold(
    _ name: String, in domain: Law.Domain = Law.Domain(), isSequential: Bool = false,
    _ left: @escaping Law.Build, _ right: @escaping Law.Build, line: UInt = #line
  ) {
    let law = Law(
      name: name, domain: domain, isSequential: isSequential, left: left, right: right)
    XCTAssertNil(law.counterexample()?.description, line: line)
  }

  func testEmptyIsTheIdentityAboveAndBeneath() {
    hold(".empty + a == a") {
      .empty + $0[0]
    } _: {
      $0[0]
    }
    hold("a + .empty == a") {
      $0[0] + .empty
    } _: {
      $0[0]
    }
    hold(".empty + (a + b) == a + b") {
      .empty + ($0[0] + $0[1])
    } _: {
      $0[0] + $0[1]
    }
    hold("a + .empty + b == a + b") {
      $0[0] + .empty + $0[1]
    } _: {
      $0[0] + $0[1]
    }
  }

  func testACacheThatBehavesLikeEmptyIsAnIdentityToo() {
    // Without cancelling: a get may have to wait in the sum for a write that waits there.
    let hollow = Cache<Int, Int>(get: { _ in Promise(error: CacheError.notFound) })
    let domain = Law.Domain(cancels: false)
    hold("hollow + a == a", in: domain) {
      hollow + $0[0]
    } _: {
      $0[0]
    }
    hold("a + hollow == a", in: domain) {
      $0[0] + hollow
    } _: {
      $0[0]
    }
  }

  func testBracketsDoNotMatter() {
    hold("(a + b) + c == a + (b + c)") {
      ($0[0] + $0[1]) + $0[2]
    } _: {
      $0[0] + ($0[1] + $0[2])
    }
  }

  func testReduceIsTheSum() {
    hold("[a, b, c].reduce(.empty, +) == a + b + c") {
      $0.reduce(.empty, +)
    } _: {
      $0[0] + $0[1] + $0[2]
    }
  }

  func testBracketsDoNotMatterWhenTheyCannotBeOpened() {
    // A name keeps a sum closed: it is one member of the sum around it.
    hold("(a + b).named + c == a + (b + c).named", isSequential: true) {
      ($0[0] + $0[1]).named("upper") + $0[2]
    } _: {
      $0[0] + ($0[1] + $0[2]).named("lower")
    }
  }

  func testACacheAboveItselfIsTheCache() {
    hold("a + a == a", isSequential: true) {
      $0[0] + $0[0]
    } _: {
      $0[0]
    }
    hold("(a + b) + (a + b) == a + b", isSequential: true) {
      ($0[0] + $0[1]) + ($0[0] + $0[1])
    } _: {
      $0[0] + $0[1]
    }
  }

  func testASumDoesWhatItsDefinitionSays() {
    hold("a + b == definition", isSequential: true) {
      $0[0] + $0[1]
    } _: {
      defined($0[0], $0[1])
    }
    hold("a + b + c == definition", isSequential: true) {
      $0[0] + $0[1] + $0[2]
    } _: {
      defined($0[0], defined($0[1], $0[2]))
    }
  }

  func testFetchersAddUpAsTheCachesTheyAre() {
    hold("a + (b + c).fetcher == a + b.fetcher + c.fetcher", isSequential: true) {
      $0[0] + ($0[1].fetcher + $0[2].fetcher)
    } _: {
      ($0[0] + $0[1].fetcher) + $0[2].fetcher
    }
    hold("a.fetcher + (b + c) == (a.fetcher + b) + c") {
      $0[0].fetcher + ($0[1] + $0[2])
    } _: {
      ($0[0].fetcher + $0[1]) + $0[2]
    }
    hold("(a.fetcher + b.fetcher) + c == a.fetcher + (b.fetcher + c)") {
      ($0[0].fetcher + $0[1].fetcher) + $0[2]
    } _: {
      $0[0].fetcher + ($0[1].fetcher + $0[2])
    }
    hold("a.fetcher + .empty == a.fetcher") {
      $0[0].fetcher + .empty
    } _: {
      $0[0].fetcher.cache
    }
  }

  func testASumWithoutBackFillIsToldApart() {
    let near = Law(
      name: "a + b without back-fill", isSequential: true, left: { $0[0] + $0[1] },
      right: { defined($0[0], $0[1], backFills: false) })
    XCTAssertNotNil(near.counterexample())
  }

  func testASumThatAwaitsItsBackFillIsToldApart() {
    let near = Law(
      name: "a + b awaiting its back-fill", isSequential: true, left: { $0[0] + $0[1] },
      right: { defined($0[0], $0[1], awaitsBackFill: true) })
    XCTAssertNotNil(near.counterexample())
  }

  func testTheOtherOrderIsToldApart() {
    let near = Law(name: "a + b == b + a", left: { $0[0] + $0[1] }, right: { $0[1] + $0[0] })
    XCTAssertNotNil(near.counterexample())
  }
}

/// What a sum is, one operation at a time, in the plainest words.
private func defined(
  _ upper: Cache<Int, Int>, _ lower: Cache<Int, Int>, backFills: Bool = true,
  awaitsBackFill: Bool = false
) -> Cache<Int, Int> {
  @Sendable func both(_ upper: Promise<Void>, _ lower: Promise<Void>) -> Promise<Void> {
    upper.flatMapOutcome { above in
      lower.flatMapOutcome { below in
        if case .failure = above { return Promise(outcome: above) }
        if case .failure = below { return Promise(outcome: below) }
        return Promise(outcome: above.isCancelled ? above : below)
      }
    }
  }
  return Cache(
    get: { key in
      upper.get(key).recover { above in
        lower.get(key).flatMap { value in
          guard backFills else { return Promise(value) }
          let filled = upper.set(key, value)
          return awaitsBackFill ? filled.map { value } : Promise(value)
        }.recover { below in
          // notFound < another miss < a failure; the lower one of equals.
          let ranks = [above, below].map { error in
            error as? CacheError == .notFound ? 0 : error.isMiss ? 1 : 2
          }
          return Promise(error: ranks[1] >= ranks[0] ? below : above)
        }
      }
    },
    set: { key, value in both(upper.set(key, value), lower.set(key, value)) },
    remove: { key in both(upper.remove(key), lower.remove(key)) },
    clear: { both(upper.clear(), lower.clear()) },
    memoryWarning: {
      upper.memoryWarning()
      lower.memoryWarning()
    })
}
