import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests streamed bodies with a transport whose responses the test itself delivers.
final class TransferStreamingTests: XCTestCase {
  private let transport = ManualTransport()
  private let result = Lock<Result<NetworkResponse, NetworkError>?>(nil)

  /// Starts a transfer that holds at most nine bytes, and returns its receiver.
  private func start(streaming: @escaping @Sendable (NetworkResponse) -> Bool = { _ in false })
    throws
    -> any ResponseReceiver
  {
    let limits = Transfer.Limits(
      size: 9, deadline: .seconds(300), redirects: 0, streams: streaming)
    let request = URLRequest(url: try XCTUnwrap(URL(string: "http://a.test/")))
    let (result, ended) = (result, expectation(description: "completion"))
    self.ended = ended
    _ = NetworkSession(transport, decodesBodies: false).start(request, limits: limits) { end in
      result.withLock { $0 = end }
      ended.fulfill()
    }
    return try XCTUnwrap(transport.receivers.withLock { $0 }.last)
  }

  private var ended = XCTestExpectation()

  private func response() throws -> NetworkResponse {
    wait(for: [ended], timeout: 300)
    return try XCTUnwrap(result.withLock { $0 }).get()
  }

  private func rest(of response: NetworkResponse) -> String {
    var text = ""
    while true {
      switch response.rest?.next(within: .seconds(300)) {
      case .piece(let bytes)?: text += String(decoding: bytes, as: UTF8.self)
      case .end?: return text + "."
      case .failure(let error)?: return "\(text)!\(Result<Int, NetworkError>.failure(error).kind)"
      case .nothing?, nil: return text + "?"
      }
    }
  }

  private func receive(_ text: String, _ receiver: any ResponseReceiver) -> Bool {
    Array(text.utf8).withUnsafeBytes(receiver.receive)
  }

  func testAChosenBodyIsDeliveredBeforeItsEnd() throws {
    let receiver = try start { $0.fields["Content-Type"] == "text/event-stream" }
    XCTAssertTrue(
      receiver.receive(ResponseHead(status: 200, fields: ["Content-Type": "text/event-stream"])))
    let response = try response()
    XCTAssertEqual(response.body, Data())
    XCTAssertTrue(receive("one ", receiver))
    guard case .piece(let first)? = response.rest?.next(within: .seconds(300)) else {
      return XCTFail("no piece")
    }
    XCTAssertEqual(first, Data("one ".utf8))
    XCTAssertTrue(receive("two", receiver))
    receiver.finish(nil)
    XCTAssertEqual(rest(of: response), "two.")
  }

  func testABodyThatIsLongerThanTheLimitIsStreamed() throws {
    let announced = try start()
    _ = announced.receive(ResponseHead(status: 200, fields: ["Content-Length": "10"]))
    XCTAssertTrue(receive("0123456789", announced))
    announced.finish(nil)
    XCTAssertEqual(rest(of: try response()), "0123456789.")
    let grown = try start()
    _ = grown.receive(ResponseHead(status: 200, fields: [:]))
    XCTAssertTrue(receive("012345", grown))
    XCTAssertTrue(receive("6789", grown))
    XCTAssertTrue(receive("ab", grown))
    grown.finish(nil)
    XCTAssertEqual(rest(of: try response()), "0123456789ab.")
    let short = try start()
    _ = short.receive(ResponseHead(status: 200, fields: ["Content-Length": "9"]))
    XCTAssertTrue(receive("012345678", short))
    short.finish(nil)
    let response = try response()
    XCTAssertEqual(response.body.count, 9)
    XCTAssertNil(response.rest)
  }

  func testAnIncompleteStreamFails() throws {
    let receiver = try start()
    _ = receiver.receive(ResponseHead(status: 200, fields: ["Content-Length": "10"]))
    XCTAssertTrue(receive("012", receiver))
    receiver.finish(nil)
    XCTAssertEqual(rest(of: try response()), "012!incompleteBody")
  }

  func testAReleasedStreamStopsTheExchange() throws {
    let receiver = try start { _ in true }
    _ = receiver.receive(ResponseHead(status: 200, fields: [:]))
    XCTAssertNotNil(try response().rest)
    result.withLock { $0 = nil }
    XCTAssertEqual(transport.cancellations.withLock { $0 }, 1)
    XCTAssertFalse(receive("x", receiver))
  }

  func testAFullStreamPausesAndAResponseWithoutABodyIsNotStreamed() throws {
    let (receiver, resumptions) = (try start { _ in true }, Lock(0))
    receiver.canPause { resumptions.withLock { $0 += 1 } }
    _ = receiver.receive(ResponseHead(status: 200, fields: [:]))
    let response = try response()
    XCTAssertFalse(receiver.isFull())
    XCTAssertTrue(receive(String(repeating: "x", count: BodyPipe.room), receiver))
    XCTAssertTrue(receiver.isFull())
    XCTAssertEqual(resumptions.withLock { $0 }, 0)
    _ = response.rest?.next(within: .zero)
    XCTAssertEqual(resumptions.withLock { $0 }, 1)
    let empty = try start { _ in true }
    _ = empty.receive(ResponseHead(status: 304, fields: [:]))
    empty.finish(nil)
    XCTAssertNil(try self.response().rest)
  }
}

private final class ManualTransport: HTTPTransport {
  let decodesBodies = false
  let receivers = Lock<[any ResponseReceiver]>([])
  let cancellations = Lock(0)

  func send(_ request: OutgoingRequest, to receiver: any ResponseReceiver) -> @Sendable () -> Void {
    receivers.withLock { $0.append(receiver) }
    return { [cancellations] in cancellations.withLock { $0 += 1 } }
  }
}
