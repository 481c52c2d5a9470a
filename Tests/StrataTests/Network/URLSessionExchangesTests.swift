#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Tests the delegate of a session by calling its methods as the session would. The session of the
  /// tests has another delegate, which learns of the cancellation of a task.
  final class URLSessionExchangesTests: XCTestCase {
    private let exchanges = URLSessionExchanges()
    private let receiver = Refusing()
    private var session = URLSession(configuration: .ephemeral)
    private var cancellation = XCTestExpectation()

    override func setUp() {
      cancellation = expectation(description: "cancellation")
      session = URLSession(
        configuration: .ephemeral, delegate: Ends(cancellation),
        delegateQueue: URLLoading.makeQueue())
    }

    override func tearDown() { session.finishTasksAndInvalidate() }

    /// Returns a task that hasn't started, and whose response goes to the receiver.
    private func makeTask() throws -> URLSessionDataTask {
      let task = session.dataTask(with: try XCTUnwrap(URL(string: "http://127.0.0.1:1/")))
      exchanges.add(receiver, for: task)
      return task
    }

    private func response(_ status: Int, _ fields: [String: String]) throws -> HTTPURLResponse {
      let url = try XCTUnwrap(URL(string: "http://127.0.0.1:1/"))
      return try XCTUnwrap(
        HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
      )
    }

    /// If the delegate didn't call the completion handler after a header, Apple's `URLSession`
    /// would wait forever.
    func testASessionMayContinueAfterAHeader() throws {
      cancellation.isInverted = true
      let (task, dispositions) = (try makeTask(), Lock<[URLSession.ResponseDisposition]>([]))
      exchanges.urlSession(session, dataTask: task, didReceive: try response(103, [:])) { answer in
        dispositions.withLock { $0.append(answer) }
      }
      XCTAssertEqual(dispositions.withLock { $0 }, [.allow])
      XCTAssertEqual(receiver.events, [])
      exchanges.remove(task)
      session.delegateQueue.waitUntilAllOperationsAreFinished()
      wait(for: [cancellation], timeout: 0)
    }

    func testARefusedBodyEndsItsResponseImmediatelyAndItsTask() throws {
      let task = try makeTask()
      exchanges.urlSession(session, dataTask: task, didReceive: Data([1, 2]))
      XCTAssertEqual(receiver.events, ["2 bytes", "end: \(URLError.Code.cancelled.rawValue)"])
      wait(for: [cancellation], timeout: 300)
    }

    func testARedirectIsAResponseAndIsNeverFollowed() throws {
      let (task, answers) = (try makeTask(), Lock<[URLRequest?]>([]))
      let response = try response(
        302, ["Location": "/b", "Content-Length": "9", "Content-Encoding": "gzip"])
      cancellation.isInverted = !URLLoading.isCorelibs
      exchanges.urlSession(
        session, task: task, willPerformHTTPRedirection: response,
        newRequest: URLRequest(url: try XCTUnwrap(URL(string: "http://127.0.0.1:1/b")))
      ) { answer in answers.withLock { $0.append(answer) } }
      if URLLoading.isCorelibs {  // The body isn't read, so the fields that describe it are gone.
        XCTAssertEqual(receiver.events, ["302 Location", "end"])
        XCTAssertEqual(answers.withLock { $0 }, [])
        wait(for: [cancellation], timeout: 300)
      } else {  // The session delivers the redirect as the response.
        XCTAssertEqual(receiver.events, [])
        XCTAssertEqual(answers.withLock { $0 }, [nil])
        wait(for: [cancellation], timeout: 0)
      }
    }
  }

  /// Records the events of a response, and refuses its body.
  private final class Refusing: ResponseReceiver {
    private let state = Lock<[String]>([])

    var events: [String] { state.withLock { $0 } }

    func receive(_ head: ResponseHead) -> Bool {
      note("\(head.status) \(head.fields.map(\.name).joined(separator: " "))")
      return true
    }

    func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
      note("\(piece.count) bytes")
      return false
    }

    func finish(_ error: (any Error)?) {
      note(error.map { "end: \(($0 as? URLError)?.code.rawValue ?? 0)" } ?? "end")
    }

    private func note(_ event: String) { state.withLock { $0.append(event) } }
  }

  /// Reports the cancellation of a task.
  private final class Ends: NSObject, URLSessionDataDelegate, Sendable {
    private let cancellation: XCTestExpectation

    init(_ cancellation: XCTestExpectation) { self.cancellation = cancellation }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      XCTAssertEqual((error as? URLError)?.code, .cancelled)
      cancellation.fulfill()
    }
  }
#endif
