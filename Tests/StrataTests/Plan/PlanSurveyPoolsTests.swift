import XCTest

@testable import Strata

/// Rules of pools, each with a plan of which it has something to say, and one of which it has
/// nothing.
final class PlanSurveyPoolsTests: PlanAdviceCase {
  func testNoPoolAboveARemoteLevel() {
    assert(.unpooledRemote, memory + disk + network, at: [2])
    assert(.unpooledRemote, memory + network.decoded(), at: [1, 0])
    assert(.unpooledRemote, memory.pooled() + .level("fetcher"), at: [1])
    assertNo(.unpooledRemote, memory + (disk + network).pooled())
    assertNo(.unpooledRemote, memory + network.verb("named", "\"n\"").decoded().pooled())
    assertNo(.unpooledRemote, .level("fetcher").verb("batching"))
    assertNo(.unpooledRemote, memory + disk + .level("constant"))
  }

  func testAPoolAboveMemory() {
    assert(.pooledMemory, (memory + disk + network).pooled(), at: [])
    assert(.pooledMemory, memory.verb("named", "\"m\"").pooled().decoded(), at: [0])
    assertNo(.pooledMemory, memory + (disk + network).pooled())
    assertNo(.pooledMemory, (disk + memory).pooled())
    assertNo(.pooledMemory, memory + (memory + network).pooled())
  }

  func testAValueMapOutsideAPool() {
    assert(.decodedOutsidePool, network.pooled().decoded(), at: [])
    assert(.decodedOutsidePool, memory + disk.pooled().verb("named", "\"d\"").decoded(), at: [1])
    assertNo(.decodedOutsidePool, memory + network.decoded().pooled())
    assertNo(.decodedOutsidePool, network.pooled().decoded("identity"))
  }
}
