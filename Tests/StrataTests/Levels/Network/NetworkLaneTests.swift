import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Which connections are kept for whom.
final class NetworkLaneTests: NetworkCase {
  private func lanes(_ count: Int) -> [NetworkLane] {
    (0..<count).map { _ in NetworkLane(.ephemeral) }
  }

  func testLaneIsKeptForItsOriginAlone() throws {
    let lane = NetworkLane(.ephemeral)
    var lanes = NetworkLanes()
    XCTAssertNil(lanes.keep(lane, for: "http://a:80"))
    XCTAssertNil(lanes.take(for: "http://b:80"))
    XCTAssertTrue(lanes.take(for: "http://a:80") === lane)
    #if canImport(FoundationNetworking)
      XCTAssertNil(lanes.take(for: "http://a:80"))
    #endif
  }

  func testOldestLaneLeavesWhenTooManyWait() {
    let all = lanes(NetworkLanes.maximumIdle + 1)
    var idle = NetworkLanes()
    let left = all.map { idle.keep($0, for: "http://a:80") }
    XCTAssertEqual(left.compactMap { $0 }.count, 1)
    XCTAssertTrue(left.last.flatMap { $0 } === all[0])
  }

  func testLaneWaitsOnce() {
    let lane = NetworkLane(.ephemeral)
    var idle = NetworkLanes()
    for _ in 0...NetworkLanes.maximumIdle { XCTAssertNil(idle.keep(lane, for: "http://a:80")) }
  }

  func testManyAnswersLeaveAFewConnectionsAndTheSessionNone() async throws {
    let files = Memory.openFiles
    let origin = try LoopbackOrigin { _ in .respond(body: "x") }
    do {
      let session = NetworkSession()
      for _ in 0..<50 {
        let result = await ask(URLRequest(url: origin.url()), of: session)
        XCTAssertEqual(result.text, "x")
      }
      XCTAssertLessThan(Memory.openFiles, files + 4 * NetworkLanes.maximumIdle)
    }
    origin.stop()
    let closed = await eventually { Memory.openFiles <= files }
    XCTAssertTrue(closed)
  }

  /// Foundation's own queue is found, without which a flood could not be cut.
  func testSocketsCanBePaused() {
    #if canImport(FoundationNetworking)
      XCTAssertTrue(NetworkLane(.ephemeral).canPause)
    #endif
  }
}
