import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

final class BodyStreamTests: XCTestCase {
  private let calls = Lock(0)

  private func pipe() -> BodyPipe {
    let calls = calls
    return BodyPipe { calls.withLock { $0 += 1 } }
  }

  private func text(_ step: BodyStream.Step) -> String {
    switch step {
    case .piece(let bytes): String(decoding: bytes, as: UTF8.self)
    case .end: "end"
    case .failure(let error): "\(error.reason)"
    case .nothing: "nothing"
    }
  }

  func testAllBytesPrecedeTheEnd() {
    let pipe = pipe()
    XCTAssertEqual(text(pipe.next(within: .zero)), "nothing")
    XCTAssertTrue(pipe.add(Data("a".utf8)))
    XCTAssertTrue(pipe.add(Data("b".utf8)))
    pipe.finish(NetworkError(.cancelled, url: nil))
    pipe.finish(nil)
    XCTAssertEqual(text(pipe.next(within: .zero)), "ab")
    XCTAssertEqual(text(pipe.next(within: .zero)), "cancelled")
    XCTAssertEqual(text(pipe.next(within: .zero)), "cancelled")
  }

  func testTheSignalsOfTakenPiecesDoNotEndALaterWait() {
    let pipe = pipe()
    for text in ["a", "b", "c"] { _ = pipe.add(Data(text.utf8)) }
    XCTAssertEqual(text(pipe.next(within: .zero)), "abc")
    DispatchQueue.global().async { _ = pipe.add(Data("d".utf8)) }
    XCTAssertEqual(text(pipe.next(within: .seconds(60))), "d")
  }

  func testAFullPipePausesTheTransferUntilTheReaderTakesItsBytes() {
    let pipe = pipe()
    XCTAssertFalse(pipe.pausesNow())
    _ = pipe.add(Data(count: BodyPipe.room))
    _ = pipe.next(within: .zero)
    XCTAssertEqual(calls.withLock { $0 }, 0)
    _ = pipe.add(Data(count: BodyPipe.room))
    XCTAssertTrue(pipe.pausesNow())
    _ = pipe.next(within: .zero)
    XCTAssertEqual(calls.withLock { $0 }, 1)
    XCTAssertFalse(pipe.pausesNow())
  }

  func testAPipeThatCannotPauseHasALimit() {
    let pipe = pipe()
    XCTAssertTrue(pipe.add(Data(count: BodyPipe.maximum)))
    XCTAssertFalse(pipe.add(Data(count: 1)))
  }

  func testAReleasedStreamStopsItsTransfer() {
    let calls = calls
    var stream: BodyStream? = BodyStream(pipe()) { calls.withLock { $0 += 1 } }
    XCTAssertEqual(stream.map { text($0.next(within: .zero)) }, "nothing")
    stream = nil
    XCTAssertEqual(calls.withLock { $0 }, 1)
  }
}
