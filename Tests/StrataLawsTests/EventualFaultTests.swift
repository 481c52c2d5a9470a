import Strata
import StrataLaws

/// Checks the laws of levels that may return older values for a time.
final class EventualFaultTests: FaultCase {
  /// A level whose gets read a replica, which follows the level after some reads.
  private static func replica(
    _ follow: @escaping @Sendable (_ replica: Box<[Int: Int]>, _ held: [Int: Int]) -> Void
  ) -> Laws {
    .level(consistency: .eventual(within: .milliseconds(50))) {
      var draft = Draft<Int, Int>()
      let (held, replica, reads) = (draft.held, Box<[Int: Int]>([:]), Box(0))
      draft.get = { key in
        let number = reads.update { reads in
          reads += 1
          return reads
        }
        if number % 3 == 0 { follow(replica, held.value) }
        return try found(replica.value[key])
      }
      return draft.cache
    }
  }

  func testAReplicaThatFollowsIsLawful() throws {
    try Laws.check(Self.replica { $0.value = $1 }, cases: 40)
  }
  func testAReplicaThatKeepsItsFirstValues() {
    expectCaught(
      "never replaced",
      by: Self.replica { replica, held in
        replica.update { $0.merge(held) { first, _ in first } }
      }, as: ["level.convergence", "level.reading"], within: 12, cases: 400)
  }
}
