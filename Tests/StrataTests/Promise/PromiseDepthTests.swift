import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests very long chains and sequences of promises on a stack of 512 KB.
final class PromiseDepthTests: XCTestCase {
  private static let links = Extent.rounds(20_000, full: 1_000_000)

  private enum Link: CaseIterable { case map, flatMap }

  private static func length(_ link: Link) -> Int {
    link == .map || Extent.isFull ? links : links / 5
  }

  /// Builds a long chain of promises by adding one link at a time.
  private static func chain(_ first: Promise<Int>, _ link: Link) -> Promise<Int> {
    var promise = first
    for _ in 0..<length(link) {
      switch link {
      case .map: promise = promise.map { $0 + 1 }
      case .flatMap: promise = promise.flatMap { Promise($0 + 1) }
      }
    }
    return promise
  }

  func testAChainThatIsPendingResolves() {
    for link in Link.allCases {
      let text = onSmallStack { () -> String in
        let work = Later<Int>()
        let last = Self.chain(work.promise, link)
        work.continuation.succeed(0)
        return last.text
      }
      XCTAssertEqual(text, "\(Self.length(link))")
    }
  }

  func testAChainOfReadyPromisesSettles() {
    for link in Link.allCases {
      XCTAssertEqual(onSmallStack { Self.chain(Promise(0), link).text }, "\(Self.length(link))")
    }
  }

  func testAFailurePassesThroughAChain() {
    let text = onSmallStack { () -> String in
      let work = Later<Int>()
      let last = Self.chain(work.promise, .map)
      work.continuation.fail(Broken.here)
      return last.text
    }
    XCTAssertEqual(text, "failed: here")
  }

  func testCancellingEitherEndOfAChainReachesTheOtherEnd() {
    for link in Link.allCases {
      for isLast in [true, false] {
        let texts = onSmallStack { () -> [String] in
          let journal = Journal<String>()
          let work = Later<Int>("work", in: journal)
          let last = Self.chain(work.promise, link)
          (isLast ? last : work.promise).cancel()
          return [last.text, work.promise.text] + journal.entries
        }
        XCTAssertEqual(texts, ["cancelled", "cancelled", "work stopped"])
      }
    }
  }

  func testAChainIsReleasedWithItsContinuation() {
    final class Token: Sendable {}
    for link in Link.allCases {
      let isReleased = onSmallStack { () -> Bool in
        weak var weakToken: Token?
        do {
          let (token, work) = (Token(), Later<Int>())
          weakToken = token
          let first = work.promise.map { _ in withExtendedLifetime(token) { 1 } }
          Self.chain(first, link).observed { _ in withExtendedLifetime(token) {} }
        }
        return weakToken == nil
      }
      XCTAssertTrue(isReleased, "\(link)")
    }
  }

  func testAStageThatFollowsAStageResolvesOrIsCancelled() {
    for isCancelled in [false, true] {
      let text = onSmallStack { () -> String in
        let gates = (0..<Self.links / 10).map { _ in Later<Int>() }
        let place = Journal<Int>()
        @Sendable func stage() -> Promise<Int> {
          let number = place.count
          place.note(number)
          guard number < gates.count else { return Promise(7) }
          return gates[number].promise.flatMap { _ in stage() }
        }
        let first = stage()
        for gate in gates.dropLast() { gate.continuation.succeed(1) }
        if isCancelled { first.cancel() } else { gates.last?.continuation.succeed(1) }
        return [first.text, gates.last?.promise.text ?? ""].joined(separator: " ")
      }
      XCTAssertEqual(text, isCancelled ? "cancelled cancelled" : "7 1")
    }
  }

  func testAllOfManyResolveAndAreCancelled() {
    let texts = onSmallStack { () -> [String] in
      let works = (0..<Self.links).map { _ in Later<Int>() }
      let sum = Promise.all(works.map(\.promise)).map { $0.reduce(0, +) }
      let cancelled = Promise.all(works.map { $0.promise.map { $0 } })
      cancelled.cancel()
      for work in works { work.continuation.succeed(1) }
      return [
        sum.text, cancelled.text, Promise.all(works.map(\.promise)).map { "\($0.count)" }.text,
      ]
    }
    XCTAssertEqual(texts, ["\(Self.links)", "cancelled", "\(Self.links)"])
  }

  func testManyRetriesEndForSynchronousAndLaterFailures() {
    let texts = onSmallStack { () -> [String] in
      let atOnce = Journal<Int>()
      let ready = retry(Self.links) {
        atOnce.note(1)
        return Promise(error: Broken.here)
      }
      let (gate, later) = (Later<Int>(), Journal<Int>())
      let pending = retry(Self.links) {
        later.note(1)
        return later.count == 1 ? gate.promise : Self.failingSoon()
      }
      gate.continuation.fail(Broken.there)
      return [ready.text, "\(atOnce.count)", pending.text, "\(later.count)"]
    }
    let attempts = "\(Self.links + 1)"
    XCTAssertEqual(texts, ["failed: here", attempts, "failed: there", attempts])
  }

  /// Returns a pending promise that fails after the running callback has returned.
  private static func failingSoon() -> Promise<Int> {
    Promise { (continuation: Promise<Int>.Continuation) in
      Trampoline.run { continuation.fail(Broken.there) }
    }
  }

  func testALinkTakesLessThanAKilobyte() throws {
    let work = Later<Int>()
    returnFreeMemory()
    let before = try residentBytes()
    let last = Self.chain(work.promise, .map)
    let perLink = try (residentBytes() - before) / Self.links
    print("A pending link takes \(perLink) bytes.")
    XCTAssertLessThan(perLink, 1024)
    work.continuation.succeed(0)
    XCTAssertEqual(last.text, "\(Self.links)")
  }

  /// Returns freed memory to the system. If the process kept freed memory, the test would reuse
  /// this memory and not count it.
  private func returnFreeMemory() {
    guard let trim = dlsym(nil, "malloc_trim") else { return }
    typealias Trim = @convention(c) (Int) -> CInt
    _ = unsafeBitCast(trim, to: Trim.self)(0)
  }

  private func residentBytes() throws -> Int {
    #if os(Linux)
      let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
        separator: " ")
      return try XCTUnwrap(Int(pages[1])) * sysconf(Int32(_SC_PAGESIZE))
    #else
      throw XCTSkip("the size of this process is read from /proc")
    #endif
  }
}
