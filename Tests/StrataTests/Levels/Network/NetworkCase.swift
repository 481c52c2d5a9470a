import Foundation
import XCTest

@testable import Strata

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the tests of the network level share: a session each, and ways to ask an origin.
class NetworkCase: XCTestCase {
  /// Asks once; a second completion would trap in the checked continuation.
  func ask(
    _ request: URLRequest, of session: NetworkSession = NetworkSession(),
    maximumSize: Int = 1 << 20, deadline: Duration = .seconds(10)
  ) async -> Result<Data, NetworkError> {
    await withCheckedContinuation { continuation in
      _ = session.start(request, maximumSize: maximumSize, deadline: deadline) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Whether the condition comes true within five seconds: for what comes soon after a completion
  /// and tells nobody, as the closing of a connection does.
  func eventually(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(5)
    while !condition() {
      guard ContinuousClock.now < end else { return false }
      await Task.yield()
    }
    return true
  }

  /// Asks an origin that gives this reply to every request.
  func ask(
    answering reply: LoopbackOrigin.Reply, maximumSize: Int = 1 << 20,
    deadline: Duration = .seconds(10)
  ) async throws -> Result<Data, NetworkError> {
    let origin = try LoopbackOrigin { _ in reply }
    defer { origin.stop() }
    return await ask(
      URLRequest(url: origin.url("/asked")), maximumSize: maximumSize, deadline: deadline)
  }

  /// Asks an origin that sends these bytes.
  func ask(
    sending text: String, maximumSize: Int = 1 << 20, deadline: Duration = .seconds(10)
  ) async throws -> Result<Data, NetworkError> {
    let reply = LoopbackOrigin.Reply.raw(Array(text.utf8))
    return try await ask(answering: reply, maximumSize: maximumSize, deadline: deadline)
  }
}

extension Result where Success == Data, Failure == NetworkError {
  /// The body as text, if there is one.
  var text: String? { (try? get()).map { String(decoding: $0, as: UTF8.self) } }

  /// The error, if there is one.
  var failure: NetworkError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }

  /// The case of the error's reason, without what it carries; `success` if there is none.
  var kind: String {
    guard let failure else { return "success" }
    return "\(failure.reason)".prefix { $0 != "(" }.description
  }
}

/// A body that does not end, as fast as it is taken.
func endless(header: String, piece: [UInt8]) -> LoopbackOrigin.Reply {
  .stream { connection in
    connection.send(header)
    while connection.send(piece) {}
  }
}
