import StrataLaws
import XCTest

@testable import StrataCore

/// Compares the queue with the simplest model: an array of numbers.
final class NodeQueueTests: XCTestCase {
  private var nodes = MemoryNodes(stride: MemoryLayout<MemoryNode>.stride, alignment: 8, limit: 64)

  override func tearDown() {
    let old = nodes.removeAll()
    for chunk in 0..<32 { freeZeroed(old[chunk]) }
    old.deallocate()
    nodes.chunks.deallocate()
  }

  func testRemovalsPreserveTheOrder() {
    for _ in 0..<64 { _ = nodes.allocate() }
    for seed in 0..<UInt64(50) {
      var (random, queue, model) = (SeededGenerator(seed: seed), NodeQueue(), [UInt32]())
      for _ in 0..<200 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where !model.isEmpty:
          let first = queue.removeFirst(nodes[queue.head])
          XCTAssertEqual(first, model.removeFirst(), "seed \(seed)")
        case 1 where !model.isEmpty:
          let index = Int.random(in: model.indices, using: &random)
          queue.remove(model.remove(at: index), in: nodes)
        case 2 where model.count > 1:
          let last = Int.random(in: 1..<model.count, using: &random)
          let chosen = Int.random(in: 0...last, using: &random)
          queue.remove(
            model[chosen], nodes[model[chosen]], movingUpTo: model[last], in: nodes)
          let moved = (0...last).filter { $0 != chosen }.map { model[$0] }
          model = model[(last + 1)...] + moved
        default:
          let number = UInt32.random(in: 0..<64, using: &random)
          guard !model.contains(number) else { continue }
          if Bool.random(using: &random) {
            queue.append(number, nodes[number], in: nodes)
            model.append(number)
          } else {
            queue.prepend(number, in: nodes)
            model.insert(number, at: 0)
          }
        }
        XCTAssertEqual(queue.count, model.count, "seed \(seed)")
        XCTAssertEqual(queue.first, model.first, "seed \(seed)")
      }
      for number in model {
        XCTAssertEqual(queue.removeFirst(nodes[queue.head]), number, "seed \(seed)")
      }
      XCTAssertNil(queue.first)
    }
  }
}
