import Foundation

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// A transport without a connection. A closure returns the answer to each request.
final class FakeTransport: HTTPTransport {
  typealias Reply =
    @Sendable (OutgoingRequest) -> (status: Int, fields: HeaderFields, body: String)?

  let decodesBodies = false
  private let state: Lock<(reply: Reply, requests: [OutgoingRequest])>

  /// - Parameter reply: A closure that returns the answer to a request, or `nil` to simulate an
  ///   unreachable origin.
  init(_ reply: @escaping Reply) { state = Lock((reply, [])) }

  /// The requests in order.
  var requests: [OutgoingRequest] { state.withLock { $0.requests } }

  func replies(_ reply: @escaping Reply) { state.withLock { $0.reply = reply } }

  func send(
    _ request: OutgoingRequest, to receiver: any ResponseReceiver
  ) -> @Sendable () -> Void {
    let reply = state.withLock { state in
      state.requests.append(request)
      return state.reply
    }
    if let (status, fields, body) = reply(request) {
      if receiver.receive(ResponseHead(status: status, fields: fields)) {
        _ = Data(body.utf8).withUnsafeBytes { receiver.receive($0) }
      }
      receiver.finish(nil)
    } else {
      receiver.finish(URLError(.cannotConnectToHost))
    }
    return {}
  }
}
