import XCTest

@testable import StrataCore

final class MemoryNodesTests: XCTestCase {
  private let stride = MemoryLayout<MemoryNode>.stride
  private lazy var nodes = MemoryNodes(stride: stride, alignment: 8, limit: 1000)

  override func tearDown() {
    let old = nodes.removeAll()
    for chunk in 0..<32 { freeZeroed(old[chunk]) }
    old.deallocate()
    nodes.chunks.deallocate()
  }

  func testIDsAreConsecutiveAndNodesDoNotMove() {
    XCTAssertEqual((0..<1000).map { _ in nodes.allocate() }, Array(0..<1000))
    let addresses = (0..<UInt32(1000)).map { Int(bitPattern: nodes[$0]) }
    XCTAssertEqual(Set(addresses).count, 1000)
    for (one, other) in zip(addresses.sorted(), addresses.sorted().dropFirst()) {
      XCTAssertGreaterThanOrEqual(other - one, stride)
    }
    for number in 0..<UInt32(1000) { nodes[number].pointee.hash = UInt64(number) }
    XCTAssertTrue((0..<UInt32(1000)).allSatisfy { nodes[$0].pointee.hash == UInt64($0) })
  }

  func testFreedNodesAreReusedInReverseOrder() {
    for _ in 0..<70 { _ = nodes.allocate() }
    for number: UInt32 in [3, 66, 10] { nodes.free(number) }
    XCTAssertEqual((0..<4).map { _ in nodes.allocate() }, [10, 66, 3, 70])
    XCTAssertEqual(nodes.count, 71)
  }

  func testASerialIsNewForEachAllocationAndZeroForAFreeNode() {
    let number = nodes.allocate()
    let first = nodes[number].pointee.serial
    nodes.free(number)
    XCTAssertEqual(nodes[number].pointee.serial, 0)
    XCTAssertEqual(nodes.allocate(), number)
    XCTAssertNotEqual(nodes[number].pointee.serial, first)
  }
}
