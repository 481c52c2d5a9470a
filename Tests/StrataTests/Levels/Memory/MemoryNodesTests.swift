import XCTest

@testable import Strata

final class MemoryNodesTests: XCTestCase {
  private let stride = MemoryLayout<MemoryNode>.stride
  private lazy var nodes = MemoryNodes(stride: stride, alignment: 8, limit: 1000)

  override func tearDown() {
    let old = nodes.removeAll()
    for chunk in 0..<32 { freeZeroed(old[chunk]) }
    old.deallocate()
    nodes.chunks.deallocate()
  }

  func testNumbersFollowEachOtherAndEachNodeStaysInItsPlace() {
    XCTAssertEqual((0..<1000).map { _ in nodes.take() }, Array(0..<1000))
    let places = (0..<UInt32(1000)).map { Int(bitPattern: nodes[$0]) }
    XCTAssertEqual(Set(places).count, 1000)
    for (one, other) in zip(places.sorted(), places.sorted().dropFirst()) {
      XCTAssertGreaterThanOrEqual(other - one, stride)
    }
    for number in 0..<UInt32(1000) { nodes[number].pointee.hash = UInt64(number) }
    XCTAssertTrue((0..<UInt32(1000)).allSatisfy { nodes[$0].pointee.hash == UInt64($0) })
  }

  func testWhatIsGivenBackIsTakenAgainTheLastOneFirst() {
    for _ in 0..<70 { _ = nodes.take() }
    for number: UInt32 in [3, 66, 10] { nodes.giveBack(number) }
    XCTAssertEqual((0..<4).map { _ in nodes.take() }, [10, 66, 3, 70])
    XCTAssertEqual(nodes.count, 71)
  }

  func testASerialIsNewEachTimeAndNoneWhileTheNodeIsFree() {
    let number = nodes.take()
    let first = nodes[number].pointee.serial
    nodes.giveBack(number)
    XCTAssertEqual(nodes[number].pointee.serial, 0)
    XCTAssertEqual(nodes.take(), number)
    XCTAssertNotEqual(nodes[number].pointee.serial, first)
  }
}
