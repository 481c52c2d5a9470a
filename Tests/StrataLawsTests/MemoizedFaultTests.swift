import Strata
import StrataLaws

/// Checks that the laws catch faults in memoized functions.
final class MemoizedFaultTests: FaultCase {
  @Sendable private static func plain(
    _ store: Cache<MemoizedCall<Int, Int>, Int>,
    _ function: @escaping @Sendable (Int, Int) async throws -> Int
  ) -> @Sendable (Int, Int) async throws -> Int {
    let memoized = memoized(in: store, function)
    return { try await memoized($0, $1) }
  }

  func testAKeyWithoutOrder() {
    expectCaught(
      "sortedArguments",
      by: .memoization { store, function in
        let memoized = memoized(in: store) { try await function($0, $1) }
        return { try await memoized(min($0, $1), max($0, $1)) }
      }, as: ["memoized.function", "memoized.sum"])
  }

  func testAKeyThatOmitsAnArgument() {
    expectCaught(
      "omitsArgument",
      by: .memoization { store, function in
        let results = Lock<[Int: Int]>([:])
        return { first, second in
          if let result = results.withLock({ $0[first] }) { return result }
          let result = try await function(first, second)
          results.withLock { $0[first] = result }
          return result
        }
      }, as: ["memoized.function", "memoized.sum", "memoized.apart"])
  }

  func testAFunctionThatIsCalledAgain() {
    expectCaught(
      "callsAgain",
      by: .memoization { _, function in { try await function($0, $1) } }, as: "memoized.sum",
      alone: true)
  }

  func testTwoFunctionsWithOneIdentity() {
    expectCaught(
      "oneIdentity",
      by: .memoization { store, function in
        let memoized = memoized(named: "f", in: store, function)
        return { try await memoized($0, $1) }
      }, as: "memoized.apart", alone: true)
  }

  func testATextWithoutQuotes() {
    expectCaught(
      "joinsByComma",
      by: .memoization(text: { "\($0.arguments.0),\($0.arguments.1)" }, Self.plain),
      as: "memoized.keys", alone: true)
  }
}
