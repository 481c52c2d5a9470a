import Foundation
import Strata
import StrataLaws

/// Checks that the laws catch faults in fetchers, which load values and store none.
final class FetcherFaultTests: FaultCase {
  /// The laws of a fetcher over an origin that has a value for each second number.
  private func fetcher(_ make: @escaping @Sendable () -> Fetcher<Int, String>) -> Laws {
    .fetcher(values: Self.value, make: make)
  }

  @Sendable private static func value(_ number: Int) -> String? {
    number.isMultiple(of: 2) ? "page \(number)" : nil
  }

  @Sendable private static func load(_ number: Int) throws -> String { try found(value(number)) }

  func testNamesThatAreFolded() {
    expectCaught(
      "folded",
      by: .fetcher(values: { (name: String) in name }) { Fetcher { $0.lowercased() } },
      as: "fetching.reading")
  }
  func testAMissThatIsAFailure() {
    struct Absent: Error {}
    expectCaught(
      "fails",
      by: fetcher {
        Fetcher { number in
          guard let value = Self.value(number) else { throw Absent() }
          return value
        }
      }, as: "fetching.reading")
  }
  func testAnEmptyPageInsteadOfAMiss() {
    expectCaught("empty", by: fetcher { Fetcher { Self.value($0) ?? "" } }, as: "fetching.reading")
  }
  func testAWriteThatIsStored() {
    expectCaught(
      "stores",
      by: fetcher {
        let held = Box<[Int: String]>([:])
        return Cache<Int, String>(
          get: { try held.value[$0] ?? Self.load($0) },
          set: { key, value in held.update { $0[key] = value } })
      }, as: "fetching.writes")
  }
  func testAWriteThatFails() {
    expectCaught(
      "refuses",
      by: fetcher {
        Cache<Int, String>(
          get: { try Self.load($0) }, set: { _, _ in throw CacheError.timedOut() })
      }, as: "fetching.writes", alone: true)
  }
  func testARemoveThatHidesAValue() {
    expectCaught(
      "hides",
      by: fetcher {
        let removed = Box<Set<Int>>([])
        return Cache<Int, String>(
          get: { try found(removed.value.contains($0) ? nil : Self.load($0)) },
          set: { _, _ in }, remove: { key in removed.update { _ = $0.insert(key) } })
      }, as: "fetching.writes", alone: true)
  }
  func testACancellationOfAllWaitingGets() {
    expectCaught(
      "cancels others",
      by: fetcher {
        let loads = Box<[Int: Promise<String>]>([:])
        return Cache<Int, String>(
          get: { number in
            loads.update { loads in
              let load =
                loads[number]
                ?? Promise {
                  for _ in 0..<20 { await Task.yield() }
                  return try Self.load(number)
                }
              loads[number] = load
              return load
            }
          }, set: { _, _ in Promise() })
      }, as: "fetching.cancellation")
  }
  func testAKeyInASharedProperty() {
    expectCaught(
      "shared property",
      by: fetcher {
        let current = Box(0)
        return Fetcher(offMainThread: false) { number in
          current.value = number
          gap()
          return try Self.load(current.value)
        }
      }, as: ["fetching.threads"], within: 36)
  }
  func testAnAnswerForManyKeysInTheWrongOrder() {
    expectCaught(
      "wrong order",
      by: .fetcher(values: Self.value) {
        let level = Fetcher<Int, String>(offMainThread: false) { try Self.load($0) }
        return level.gettingMany(
          BulkGet { keys in
            [Promise(keys.reversed().compactMap { level.get($0).outcome })]
          })
      }, as: "fetching.many", alone: true)
  }
  func testAnOriginWithoutValues() {
    expectCaught(
      "vacuous",
      by: .fetcher(values: { (_: Int) in String?.none }) {
        Fetcher { _ in throw CacheError.notFound }
      },
      as: "fetching.effect", alone: true)
  }

  func testFetchersAreLawful() async throws {
    try await Laws.check(fetcher { Fetcher { try Self.load($0) } }, cases: 60)
    try await Laws.check(
      fetcher {
        Fetcher { number in
          await Task.yield()
          return try Self.load(number)
        }.pooled()
      }, cases: 60)
    try await Laws.check(
      .fetcher(values: { (url: URL) in url.absoluteString.count }) {
        Fetcher { $0.absoluteString.count }
      }, cases: 60)
    try await Laws.check(
      .fetcher(values: { (_: String) in 7 }) { Cache<String, Int>.constant(7).fetcher }, cases: 60)
  }
}
