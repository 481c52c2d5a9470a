import StrataCore

extension RedisPipeline /* : replies */ {
  /// Whether to receive the elements of the next reply one by one, as they arrive.
  var expectsElements: Bool {
    if case .gets? = awaited.first { true } else { false }
  }

  /// Receives replies to requests. Returns the first reply that concerns the connection itself,
  /// such as a push message, or `nil` if no further reply has arrived.
  mutating func receive(from parser: inout ReplyParser) throws(RedisError) -> RedisReply? {
    while let part = try parser.nextPart(splitsList: expectsElements) {
      switch part {
      case .whole(let reply):
        if case .push = reply { return reply }
        if case .failure = reply { return reply }
        try receive(part)
      default: try receive(part)
      }
    }
    return nil
  }

  /// Stores the answers that a reply contains, until `deliver()` passes them on.
  ///
  /// - Throws: An error if no request is waiting for a reply, or if the reply has the wrong length.
  mutating func receive(_ part: ReplyParser.Part) throws(RedisError) {
    hasAnswered = true
    switch part {
    case .whole(let reply): try receive(reply)
    case .header(let count):
      guard case .gets(let keys, let epoch, _)? = awaited.first,
        count == keys + (epoch == nil ? 0 : 1)
      else { throw .protocolViolation("MGET returned the wrong number of values") }
      (elements, listEpoch) = (count, nil)
    case .element(let reply): receiveElement(reply)
    }
  }

  private mutating func receive(_ reply: RedisReply) throws(RedisError) {
    guard let next = awaited.removeFirst() else {
      throw .protocolViolation("a reply answers no request")
    }
    switch next {
    case .own(let receive):
      deliver()
      receive(reply)
    case .firstEpoch: fenceReply = reply
    case .epoch(let epoch, let clears, let isFence):
      note(reply, of: epoch, clears)
      if isFence { endFence(epoch, reply) }
    case .run(let epoch): receiveRun(reply, of: epoch)
    case .removal(let epoch, let command): receiveRemoval(reply, of: epoch, command)
    case .request:
      if let request = removeFirst() { receive(reply, of: request) }
    case .gets(var keys, _, _):  // The server has sent an error instead of a list.
      expectedKeys -= keys
      let failure: RedisFailure =
        if case .failure(let failure) = reply.answer {
          failure
        } else {
          .error(.protocolViolation("MGET returned no list"))
        }
      while keys > 0, let request = removeFirst() {
        keys -= request.count
        answer(request, .failure(failure))
      }
    }
  }

  private mutating func receiveElement(_ reply: RedisReply) {
    guard case .gets(let keys, let epoch, let clears)? = awaited.first else { return }
    elements -= 1
    if elements == 0 { _ = awaited.removeFirst() }
    if let epoch, elements == keys { return listEpoch = note(reply, of: epoch, clears) }
    expectedKeys -= 1
    sizes.receive(reply)
    guard let request = inFlight.first else { return }
    if request.isGets {
      if list.isEmpty { list.reserveCapacity(request.count) }
      list.append(reply)
      guard list.count == request.count else { return }
      passList(to: request)
      list = []
    }
    _ = removeFirst()
    answer(request, .success(reply), epoch: listEpoch)
  }

  private func passList(to request: RedisRequest) {
    (request.elements, request.elementsEpoch) = (list, listEpoch)
  }

  private mutating func receive(_ reply: RedisReply, of request: RedisRequest) {
    switch (request.form, reply) {
    case (.clear(let epoch), .failure): epoch.number = nil
    case (.clear(let epoch), _): epoch.served = request.sentEpoch
    case (.set, .failure): break
    case (.set(let epoch, _), _)
    where epoch.served != request.sentEpoch && !request.isAnswered && !isReplaced(request, epoch):
      return again.append(request)
    default: break
    }
    answer(request, reply.answer)
  }

  /// Whether a later write of this process to the same key is in flight.
  private func isReplaced(_ request: RedisRequest, _ epoch: RedisEpoch) -> Bool {
    (0..<inFlight.count).contains { index in
      guard let other = inFlight[index], other.place > 0 else { return false }
      if case .clear(let cleared) = other.form { return cleared === epoch }
      return other.name == request.name
    }
  }

  @discardableResult
  private func note(_ reply: RedisReply, of epoch: RedisEpoch, _ clears: Int) -> UInt64? {
    let number = RedisEpoch.number(reply)
    epoch.served = number
    epoch.note(number, after: clears)
    return number
  }

  /// Lets the pipeline send requests again. When the server still has no epoch, fails the write
  /// that needs one. This write is the first waiting request, unless it has timed out.
  private mutating func endFence(_ epoch: RedisEpoch, _ reply: RedisReply) {
    isFenced = false
    guard epoch.number == nil, case .set(let needed, _)? = waiting.first?.form, needed === epoch
    else { return }
    let failure: RedisFailure =
      if case .failure(let failure) = fenceReply.answer {
        failure
      } else if reply != .null {
        .error(
          .server(
            code: "WRONGTYPE",
            message: "another program has written the key \(RedisError.printable(epoch.key))"))
      } else {
        .error(.server(code: "OOM", message: "the server keeps no epoch"))
      }
    if let request = waiting.removeFirst() { answer(request, .failure(failure)) }
  }

  mutating func removeFirst() -> RedisRequest? {
    if failed > 0 { failed -= 1 }
    return inFlight.removeFirst()
  }
}

extension RedisPipeline /* : failures */ {
  /// Fails all requests that have timed out. Returns whether any of them was in flight.
  ///
  /// - Parameter fault: The error of requests that time out while they wait for a connection, or
  ///   `nil` if there is a connection.
  mutating func expire(at now: Int64, waitingFor fault: RedisError? = nil) -> Bool {
    let before = failed
    while failed < inFlight.count, let request = inFlight[failed], request.deadline <= now {
      // The server may not have received the new epoch, so the next write reads the epoch first.
      if case .clear(let epoch) = request.form { epoch.number = nil }
      if failed == 0, request.isGets { passList(to: request) }
      failed += 1
      request.finish(.failure(.timedOut))
    }
    while let next = waiting.first, next.deadline <= now, let request = waiting.removeFirst() {
      finish(request, .failure(fault.map { .error($0) } ?? .timedOut))
    }
    let expired = again.filter { $0.deadline <= now }
    again.removeAll { $0.deadline <= now }
    for request in expired { finish(request, .failure(.timedOut)) }
    return failed > before
  }

  /// Resets the pipeline after the loss of its connection.
  ///
  /// Requests in flight return to the head of the queue if they can be repeated, and fail if they
  /// can't. The error of those says that they may have taken effect.
  mutating func interrupt(_ error: RedisError) {
    let loss: RedisError =
      switch error {
      case .unreachable(let reason), .tls(let reason), .refused(let reason): .connectionLost(reason)
      default: error
      }
    let (sent, later) = (inFlight.removeAll(), again + waiting.removeAll())
    _ = awaited.removeAll()
    (failed, isFenced, isHeld, output, again) = (0, false, false, RequestEncoder(), [])
    (expectedKeys, list) = (0, [])
    waiting.append(contentsOf: sent.filter { $0.isRepeatable && !$0.isAnswered })
    waiting.append(contentsOf: later)
    for request in sent where !request.isRepeatable || request.isAnswered {
      if case .clear(let epoch) = request.form { epoch.number = nil }
      finish(request, .failure(.error(loss)))
    }
  }

  /// Fails all waiting requests.
  mutating func refuseAll(_ error: RedisError) {
    for request in again + waiting.removeAll() { finish(request, .failure(.error(error))) }
    again = []
  }
}
