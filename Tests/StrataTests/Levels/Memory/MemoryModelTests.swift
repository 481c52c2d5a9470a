import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Compares the memory level with a model that stores everything. The level may differ from the
/// model only by evicting entries.
final class MemoryModelTests: XCTestCase {
  func testALevelBoundedByCountKeepsItsCapacityAndReturnsOnlyStoredValues() {
    run(capacity: 20, cost: { _ in 1 })
  }

  func testALevelBoundedByCostKeepsItsCapacityAndReturnsOnlyStoredValues() {
    run(capacity: 100, cost: { $0 % 30 })
  }

  private func run(capacity: Int, cost: @escaping @Sendable (Int) -> Int) {
    let store = MemoryStore<Int, Int>(capacity: capacity, cost: cost)
    var random = SeededGenerator(seed: LawSeed.value)
    var model: [Int: Int] = [:]
    for step in 0..<Extent.rounds(100_000, full: 1_000_000) {
      let key = Int.random(in: 0..<60, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<45:
        let found = store.value(for: key)
        if let found, found != model[key] { return fail(step, "\(key) is \(found)") }
        if found == nil { model[key] = nil }
      case 45..<90:
        let value = Int(random.next() >> 40)
        model[key] = value
        var evicted: [Int] = []
        store.set(value, for: key) { key, _, cause in
          if cause == .capacity { evicted.append(key) }
        }
        for key in evicted where model.removeValue(forKey: key) == nil {
          return fail(step, "evicted \(key), which it did not hold")
        }
        let isKept = cost(value) <= capacity
        if (store.value(for: key) == value) != isKept { return fail(step, "\(key) was not stored") }
      case 90..<98:
        model[key] = nil
        _ = store.remove(key)
      case 98:
        store.respond(to: .trim(to: Double.random(in: 0..<1, using: &random))) { _, _, _ in }
      default:
        model = [:]
        store.removeAll()
      }
      if store.total > capacity { return fail(step, "holds \(store.total)") }
    }
  }

  private func fail(_ step: Int, _ message: String) {
    XCTFail("step \(step): \(message) (STRATA_SEED=\(LawSeed.value))")
  }
}
