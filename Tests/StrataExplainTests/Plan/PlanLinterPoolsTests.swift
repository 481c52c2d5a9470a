import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

/// Tests the advice about pools. Each test checks that some plans get a piece of advice, and that
/// other plans don't get it.
final class PlanLinterPoolsTests: PlanAdviceCase {
  func testNoPoolAboveARemoteLevel() {
    assert(.unpooledRemote, memory + disk + network, at: [2])
    assert(.unpooledRemote, memory + network.decoded(), at: [1, 0])
    assert(.unpooledRemote, memory.pooled() + .level("fetcher", .origin), at: [1])
    assertNo(.unpooledRemote, memory + (disk + network).pooled())
    assertNo(.unpooledRemote, memory + network.verb("named", [nil: .text("n")]).decoded().pooled())
    assertNo(.unpooledRemote, .level("fetcher", .origin).verb("bulkLoading"))
    assertNo(.unpooledRemote, memory + disk + .level("constant", .constant))
  }

  func testAPoolAboveMemory() {
    assert(.pooledMemory, (memory + disk + network).pooled(), at: [])
    assert(.pooledMemory, memory.verb("named", [nil: .text("m")]).pooled().decoded(), at: [0])
    assertNo(.pooledMemory, memory + (disk + network).pooled())
    assertNo(.pooledMemory, (disk + memory).pooled())
    assertNo(.pooledMemory, memory + (memory + network).pooled())
  }

  func testAValueMapOutsideAPool() {
    assert(.decodedOutsidePool, network.pooled().decoded(), at: [])
    assert(
      .decodedOutsidePool, memory + disk.pooled().verb("named", [nil: .text("d")]).decoded(),
      at: [1])
    assertNo(.decodedOutsidePool, memory + network.decoded().pooled())
    assertNo(.decodedOutsidePool, network.pooled().decoded("identity", decodes: false))
  }
}
