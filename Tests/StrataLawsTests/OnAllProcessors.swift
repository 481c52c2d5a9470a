import Foundation
import StrataLaws
import XCTest

/// Calls a function for each index, on as many threads as the machine has processors, and returns the
/// results in the order of the indices.
///
/// A check of a law blocks its thread, so it must not occupy a thread of Dispatch or of tasks, which
/// the tested level may need.
func onAllProcessors<Result: Sendable>(
  _ count: Int, _ result: @escaping @Sendable (Int) -> Result
) -> [Result] {
  let (next, results, ended) = (Box(0), Box<[Int: Result]>([:]), DispatchGroup())
  for _ in 0..<min(count, ProcessInfo.processInfo.activeProcessorCount) {
    ended.enter()
    let thread = Thread {
      defer { ended.leave() }
      while true {
        let index = next.update { next in
          next += 1
          return next - 1
        }
        guard index < count else { return }
        let value = result(index)
        results.update { $0[index] = value }
      }
    }
    thread.stackSize = 8 << 20
    thread.start()
  }
  ended.wait()
  return results.value.sorted { $0.key < $1.key }.map(\.value)
}

/// Expects that structures obey their laws. Checks as many laws at the same time as the machine has
/// processors.
func expectLawful(
  _ structures: [(laws: Laws, cases: Int)], file: StaticString = #filePath, line: UInt = #line
) {
  let all = structures.flatMap { laws, cases in laws.laws.map { ($0, cases) } }
  let violations = onAllProcessors(all.count) { index in
    let (law, cases) = all[index]
    return law.violation(cases: cases)
  }
  for case let violation? in violations { XCTFail("\(violation)", file: file, line: line) }
}
