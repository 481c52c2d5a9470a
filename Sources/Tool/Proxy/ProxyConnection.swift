import Foundation
import Strata

/// The server side of a client connection, which handles requests in order.
struct ProxyConnection {
  private let socket: Socket
  private let handler: ProxyHandler
  private let limits: ProxyReader.Limits
  private let isStopped: () -> Bool

  init(
    _ socket: Socket, _ handler: ProxyHandler, _ limits: ProxyReader.Limits,
    isStopped: @escaping () -> Bool
  ) {
    (self.socket, self.handler, self.limits) = (socket, handler, limits)
    self.isStopped = isStopped
  }

  /// Serves requests until the connection ends.
  func run() {
    var reader = ProxyReader(limits: limits) { [socket] in socket.receive() }
    var method = ""
    do {
      while let head = try reader.head() {
        method = head.method
        guard try serve(head, &reader) else { return }
      }
    } catch {
      guard let fault = error as? ProxyFault, let status = fault.status else { return }
      handler.report(fault, status, method)
      let response = ProxyResponse(
        status: status, fault.explanation, detail: "refused", to: method)
      socket.send(response.bytes(keepingConnection: false))
      drain()
    }
  }

  /// Serves one request, and returns whether the connection stays open.
  private func serve(_ head: ProxyRequest, _ reader: inout ProxyReader) throws -> Bool {
    try handler.hosts.check(head)
    let framing = try head.framing()
    if framing != .none, head.expectsContinue, !reader.hasBytes {
      socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    var request = head
    request.body = try reader.body(framing)
    let response = try handler.response(to: request)
    let mayKeep = head.isCurrent || !response.needsChunks
    let isKept = head.keepsConnection && mayKeep && !isStopped()
    let isSent = socket.send(
      response.bytes(keepingConnection: isKept, toCurrent: head.isCurrent))
    guard let rest = response.rest else { return isKept && isSent }
    let isChunked = response.needsChunks && head.isCurrent
    return isSent && stream(rest, isChunked: isChunked) && isKept
  }

  /// Sends the pieces of a body as they arrive, and returns whether the body is complete. If it
  /// isn't, the caller must close the connection, because only this shows the client that the body
  /// isn't complete.
  private func stream(_ rest: BodyStream, isChunked: Bool) -> Bool {
    while true {
      switch rest.next(within: .milliseconds(500)) {
      case .piece(let piece):
        guard socket.send(isChunked ? Self.chunk(piece) : Array(piece)) else { return false }
      case .end: return !isChunked || socket.send(Array("0\r\n\r\n".utf8))
      case .failure(let error):
        handler.report(error)
        return false
      case .nothing: if isStopped() || socket.hasEnded { return false }
      }
    }
  }

  private static func chunk(_ piece: Data) -> [UInt8] {
    Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
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
