import Foundation
import StrataCore

extension RedisLoop /* : input and output */ {
  func write() {
    guard case .open(let socket) = phase else { return }
    if let error = writeError ?? write(to: socket) { lose(error) }
  }

  /// Sends the waiting requests until the socket accepts no more. Returns the error if the
  /// connection has ended.
  private func write(to socket: RedisSocket) -> RedisError? {
    while true {
      pipeline.fill()
      guard !pipeline.output.bytes.isEmpty else { return nil }
      switch pipeline.output.bytes.withUnsafeBytes({ socket.write($0) }) {
      case .moved(let count): pipeline.removeOutput(count)
      case .blocked: return nil
      case .ended(let error): return error
      }
    }
  }

  /// This loop, if callers may use it to send requests while the thread sleeps, or `nil` if they
  /// may not.
  ///
  /// Callers may do so if requests come one at a time: concurrent requests cost less if the thread
  /// sends them together. With TLS, callers may not use the loop, because the functions of TLS can
  /// raise SIGPIPE, which only the connection's thread blocks.
  var lentLoop: RedisLoop? {
    guard case .open(let socket) = phase, socket.layer == nil, pipeline.output.bytes.isEmpty,
      isSequential, !pipeline.isAwaiting
    else { return nil }
    return self
  }

  /// Sends a request on its caller's thread, while the connection's thread sleeps. Doesn't call any
  /// closure of the program. Returns whether the thread may continue to sleep.
  func send(_ request: RedisRequest) -> Bool {
    pipeline.waiting.append(request)
    guard case .open(let socket) = phase else { return false }
    repair()
    writeError = write(to: socket)
    isInUse = true
    mailbox.inFlight.store(pipeline.inFlightCount, ordering: .relaxed)
    return writeError == nil && pipeline.output.bytes.isEmpty
  }

  func read(_ socket: RedisSocket) {
    switch socket.read(into: piece) {
    case .moved(let count):
      lastReceived = runningNanoseconds()
      (isInUse, isSequential) = (true, pipeline.inFlightCount <= 1)
      let bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
      if case .greeting(let socket, var handshake) = phase {
        if let error = handshake.fault(in: bytes) { return lose(error) }
        phase = .greeting(socket, handshake)
      }
      parser.append(bytes)
      do throws(RedisError) { try receiveReplies() } catch { lose(error) }
    case .blocked: break
    case .ended(let error):
      if case .greeting(_, let handshake) = phase { return lose(handshake.fault(of: error)) }
      lose(error)
    }
  }

  private func receiveReplies() throws(RedisError) {
    defer { pipeline.deliver() }  // Even if a reply is invalid, the earlier ones count.
    while case .greeting(let socket, var handshake) = phase {
      guard let reply = try parser.next() else { return }
      if case .push(let elements) = reply {
        receivePush(elements)
        continue
      }
      guard !handshake.isComplete else { throw .protocolViolation("a greeting is too long") }
      try handshake.receive(reply)
      if handshake.isComplete { open(socket, handshake.result) } else { greet(socket, handshake) }
    }
    guard case .open = phase else { return }
    while let reply = try pipeline.receive(from: &parser) {
      if case .push(let elements) = reply {
        pipeline.deliver()  // The report may concern values that arrived before it.
        receivePush(elements)
      } else {
        if case .failure(let error) = reply { noteDemotion(error) }
        try pipeline.receive(.whole(reply))
      }
    }
    pipeline.deliver()
    if pipeline.isHeld, !pipeline.isAwaiting { lose(.connectionLost("it was demoted")) }
  }

  /// Ends the connection if the server has been silent for as long as a request may take.
  func endIfSilent(_ now: Int64) {
    guard case .open = phase, lastReceived + settings.deadlineNanoseconds <= now else { return }
    lose(.connectionLost("the server doesn't answer"))
  }
}
