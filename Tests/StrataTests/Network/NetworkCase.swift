import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// The base class for tests that run with the system's transport and with `URLSession`.
class NetworkCase: XCTestCase {
  private var usesURLSession = false

  /// Whether the transport is libcurl. With libcurl, no response can crash the process.
  var usesCurl: Bool {
    #if canImport(CStrataCurl) && canImport(Glibc)
      !usesURLSession
    #else
      false
    #endif
  }

  /// Runs a test with each of the two transports.
  func onEachTransport(_ body: () async throws -> Void) async rethrows {
    try await body()
    usesURLSession = true
    try await body()
  }

  /// Runs a synchronous test with each of the two transports.
  func onEachTransport(_ body: () throws -> Void) rethrows {
    try body()
    usesURLSession = true
    try body()
  }

  func makeSession(fields: HeaderFields = [:], secrets: [String] = []) -> NetworkSession {
    guard usesURLSession else { return NetworkSession(fields: fields, secrets: secrets) }
    return NetworkSession(URLSessionTransport(.ephemeral), fields: fields, secrets: secrets)
  }

  /// Sends one request. If the transport completed the request twice, the checked continuation
  /// would trap.
  func response(
    to request: URLRequest, session: NetworkSession? = nil, maximumSize: Int = 1 << 20,
    deadline: Duration = .seconds(60), redirects: Int = 10
  ) async -> Result<NetworkResponse, NetworkError> {
    let session = session ?? makeSession()
    let limits = Transfer.Limits(size: maximumSize, deadline: deadline, redirects: redirects)
    return await withCheckedContinuation { continuation in
      _ = session.start(request, limits: limits) { continuation.resume(returning: $0) }
    }
  }

  /// Sends one request, and applies the default response rule to the response.
  func value(
    of request: URLRequest, session: NetworkSession? = nil, maximumSize: Int = 1 << 20,
    deadline: Duration = .seconds(60)
  ) async -> Result<Data, NetworkError> {
    let response = await response(
      to: request, session: session, maximumSize: maximumSize, deadline: deadline)
    return response.flatMap { response in
      Result { try ResponseRule.success.value(response) }.mapError {
        $0 as? NetworkError ?? NetworkError(.transport($0), url: nil)
      }
    }
  }

  /// Sends one request to an origin that answers every request with `reply`.
  func value(
    from reply: LoopbackOrigin.Reply, maximumSize: Int = 1 << 20,
    deadline: Duration = .seconds(60)
  ) async throws -> Result<Data, NetworkError> {
    let origin = try LoopbackOrigin { _ in reply }
    defer { origin.stop() }
    return await value(
      of: URLRequest(url: origin.url("/page")), maximumSize: maximumSize, deadline: deadline)
  }

  /// Sends one request to an origin that answers with the bytes of `text`.
  func value(
    ofBytes text: String, maximumSize: Int = 1 << 20, deadline: Duration = .seconds(60)
  ) async throws -> Result<Data, NetworkError> {
    let reply = LoopbackOrigin.Reply.raw(Array(text.utf8))
    return try await value(from: reply, maximumSize: maximumSize, deadline: deadline)
  }

  /// Returns whether the condition becomes true within five minutes. Use this function for events
  /// without a notification, such as the end of a connection.
  func eventually(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(300)
    while !condition() {
      guard ContinuousClock.now < end else { return false }
      await Task.yield()
    }
    return true
  }
}

extension Result where Success == Data, Failure == NetworkError {
  /// The body as text, or `nil` after a failure.
  var text: String? { (try? get()).map { String(decoding: $0, as: UTF8.self) } }
}

extension Result where Failure == NetworkError {
  /// The error, or `nil` after a success.
  var failure: NetworkError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }

  /// The case name of the error's `reason` without associated values, or `success` if there is no
  /// error.
  var kind: String {
    guard let failure else { return "success" }
    return "\(failure.reason)".prefix { $0 != "(" }.description
  }
}

/// Returns a reply whose body never ends. The origin sends the body as fast as the client reads.
func endless(header: String, piece: [UInt8]) -> LoopbackOrigin.Reply {
  .stream { connection in
    connection.send(header)
    while connection.send(piece) {}
  }
}
