import XCTest

@testable import StrataCore

/// The base class for tests of the eviction policy. The nodes in these tests have no keys and no
/// values.
class A2FCase: XCTestCase {
  /// Two multipliers that are inverses of each other. Multiplying by `spread` distributes small
  /// numbers over the whole range of hashes. Multiplying such a hash by `back` returns the small
  /// number.
  static let (spread, back): (UInt64, UInt64) = (
    0x9e37_79b9_7f4a_7c15, 0xf1de_83e1_9937_733d
  )

  var policy: A2F!

  func begin(capacity: Int, isWeighted: Bool = false) {
    policy = A2F(
      capacity: capacity, isWeighted: isWeighted, stride: MemoryLayout<MemoryNode>.stride,
      alignment: 8)
  }

  override func tearDown() {
    let old = policy.removeAll()
    for chunk in 0..<32 { freeZeroed(old[chunk]) }
    old.deallocate()
    policy.nodes.chunks.deallocate()
    policy.deallocate()
  }

  /// Inserts a hash, evicts entries if necessary, and returns the evicted hashes.
  @discardableResult
  func insert(_ hash: UInt64, cost: Int = 1) -> [UInt64] {
    let candidate = policy.recordMiss(hash &* Self.spread, cost: cost)
    var left: [UInt64] = []
    while !policy.hasRoom(for: cost, isNew: true) {
      let number = policy.evict()
      left.append(policy.nodes[number].pointee.hash &* Self.back)
      policy.nodes.free(number)
    }
    _ = policy.insert(candidate, cost: cost)
    return left
  }
}
