import Foundation
import Strata

/// The server side of a client connection, which handles requests in order.
struct ProxyConnection {
  private let socket: Socket
  private let handler: ProxyHandler
  private let isStopped: () -> Bool

  init(_ socket: Socket, _ handler: ProxyHandler, isStopped: @escaping () -> Bool) {
    (self.socket, self.handler, self.isStopped) = (socket, handler, isStopped)
  }

  /// Serves requests until the connection ends.
  func run() {
    var reader = ProxyReader { [socket] in socket.receive() }
    var method = ""
    do {
      while let head = try reader.head() {
        method = head.method
        guard try serve(head, &reader) else { return }
      }
    } catch {
      guard let fault = error as? ProxyFault, let status = fault.status else { return }
      let response = ProxyResponse(
        status: status, fault.explanation, detail: "refused", to: method)
      socket.send(response.bytes(keepingConnection: false))
      drain()
    }
  }

  /// Serves one request, and returns whether the connection stays open.
  private func serve(_ head: ProxyRequest, _ reader: inout ProxyReader) throws -> Bool {
    let framing = try head.framing()
    if framing != .none, head.expectsContinue, !reader.hasBytes {
      socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    var request = head
    request.body = try reader.body(framing)
    let response = try handler.response(to: request)
    let isKept = head.keepsConnection && !isStopped()
    let isSent = socket.send(
      response.bytes(keepingConnection: isKept, toCurrent: head.isCurrent))
    return isKept && isSent
  }

  /// Continues to read for a while, because closing a connection with unread bytes might discard
  /// the response.
  private func drain() {
    _ = shutdown(socket.descriptor, Int32(SHUT_WR))
    socket.limit(seconds: 1)
    var rest = 1 << 20
    while rest > 0 {
      let count = socket.receive().count
      guard count > 0 else { return }
      rest -= count
    }
  }
}
