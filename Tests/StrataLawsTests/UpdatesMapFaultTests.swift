import Strata
import StrataLaws

/// Checks that the laws catch faults in the key maps and value maps of `CacheUpdates`, whose reads
/// return several answers.
final class UpdatesMapFaultTests: FaultCase {
  private typealias Read = CacheUpdates<Int, Int>

  private func laws(
    keys: @escaping Laws.UpdatesKeyMap = { $1.mapKeys($0) },
    values: @escaping Laws.UpdatesValueMap = { $0.mapValues($1) }
  ) -> Laws {
    .updates({ $0.updating(from: $1) }, keys: keys, values: values)
  }

  func testAKeyMapWithOnlyOneAnswer() {
    expectCaught(
      "freshOnly",
      by: laws(keys: { function, read in read.mapKeys(function).keeping { $0 == .fresh } }),
      as: "updates.keys")
  }

  func testAKeyMapThatMapsTwice() {
    expectCaught(
      "mapsTwice", by: laws(keys: { function, read in read.mapKeys { function(function($0)) } }),
      as: "updates.keyComposition", alone: true)
  }

  func testAValueMapWithOnlyOneAnswer() {
    expectCaught(
      "freshOnly",
      by: laws(values: { read, codec in read.mapValues(codec).keeping { $0 == .fresh } }),
      as: "updates.values")
  }

  func testAMissingValueMap() {
    expectCaught(
      "ignored", by: laws(values: { read, _ in read }), as: "updates.valueComposition", alone: true)
  }

  func testAKeyMapThatDependsOnValues() {
    expectCaught(
      "dropsLarge",
      by: laws(keys: { function, read in read.mapKeys(function).keeping { _, value in value < 10 } }
      ),
      as: "updates.exchange", alone: true)
  }
}

extension CacheUpdates {
  /// Returns these updates without the answers for which a condition is false.
  fileprivate func keeping(
    _ isKept: @escaping @Sendable (UpdateSource, Value) -> Bool
  ) -> CacheUpdates {
    let values = values
    return CacheUpdates { key in
      AsyncThrowingStream { continuation in
        let stream = values(key)
        let task = Task {
          do {
            for try await update in stream where isKept(update.source, update.value) {
              continuation.yield(update)
            }
            continuation.finish()
          } catch { continuation.finish(throwing: error) }
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }
  }

  fileprivate func keeping(_ isKept: @escaping @Sendable (UpdateSource) -> Bool) -> CacheUpdates {
    keeping { source, _ in isKept(source) }
  }
}
