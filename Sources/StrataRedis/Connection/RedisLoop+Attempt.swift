import StrataCore

extension RedisLoop /* : connecting */ {
  var attemptTime: Int64? {
    switch phase {
    case .idle(let until): until
    case .resolving: attemptEnd
    case .connecting, .securing, .greeting: addressEnd
    case .open: nil
    }
  }

  /// The error for a request whose deadline passes during an attempt to connect. It's `nil` if
  /// there is no attempt.
  var attemptFault: RedisError? {
    switch phase {
    case .idle, .open: nil
    case .resolving, .connecting, .greeting: .unreachable("no answer within \(settings.deadline)")
    case .securing:
      .tls(
        "the server hasn't answered the TLS handshake within \(settings.deadline). Check that the "
          + "server uses TLS on this port")
    }
  }

  /// Whether a connection is needed.
  private var isNeeded: Bool {
    pipeline.hasRequests || !followers.isEmpty || !journal.isEmpty
  }

  /// Does what is due: begins an attempt to connect, or sends a heartbeat. When the deadline of an
  /// address, of an attempt, or of an open connection has passed, leaves or ends it.
  func advance(_ now: Int64) {
    switch phase {
    case .idle(let until):
      let isTime = until.map { $0 <= now } ?? isNeeded
      if isTime { beginAttempt(now) }
    case .resolving: if attemptEnd <= now, let attemptFault { fail(attemptFault) }
    case .connecting(let socket), .securing(let socket), .greeting(let socket, _):
      if addressEnd <= now, let attemptFault { leave(socket, after: attemptFault) }
    case .open:
      guard let time = heartbeatTime, time <= now else { return }
      if pipeline.isAwaiting { return lose(.connectionLost("the server doesn't answer")) }
      beat()
    }
  }

  func greet(_ socket: RedisSocket) {
    guard case .success(let address) = settings.address else { return }
    (requested, hasRefusedPrefixes) = (Self.covering(followers), false)
    parser = ReplyParser()
    greet(
      socket,
      RedisHandshake(
        address, name: settings.clientName, replacing: earlier, readsReplica: settings.readsReplica,
        wantsRun: !settings.isPersistent, needsPrimary: settings.sentinels != nil,
        following: requested))
  }

  /// Sends the next requests of the greeting.
  func greet(_ socket: RedisSocket, _ handshake: RedisHandshake) {
    var handshake = handshake
    let request = handshake.takeRequest()
    phase = .greeting(socket, handshake)
    if request.isEmpty { return }
    // One write is enough: a handshake is far smaller than the buffer of a new socket.
    let progress = request.withUnsafeBytes { socket.write($0) }
    if case .ended(let error) = progress { return lose(handshake.fault(of: error)) }
    if progress != .moved(request.count) {
      lose(.connectionLost("the server didn't accept the first requests"))
    }
  }

  func open(_ socket: RedisSocket, _ result: RedisHandshake.Result) {
    phase = .open(socket)
    (attempts, lastReceived) = (0, runningNanoseconds())
    earlier = result.identity(from: socket)
    (refusal, pipeline.hasAnswered) = (nil, false)
    mailbox.refuse(nil)
    journal.sendAgain()
    (repairTime, refusedRepairs) = (nil, 0)
    noteRun(result.run)
    mailbox.note {
      $0.connections = 1
      $0.connects += 1
    }
    tell(.connected(version: result.version))
    sendsReports = result.sendsReports
    isTracking = result.isTracking && sendsReports
    (tracked, registered) = (isTracking ? requested : [], registration)
    // A cache may have begun to follow after the greeting was sent.
    if sendsReports, tracked != Self.covering(followers) {
      register()
    } else if isTracking {
      beginFollowing()
    }
  }

  /// Compares the ID of the server's run with the ID at the last connection, to notice a restart.
  private func noteRun(_ run: [UInt8]?) {
    guard let run, !settings.isPersistent else { return }
    guard let noticeRestart = settings.noticeRestart else { return pipeline.run = run }
    if let earlierRun, earlierRun != run {
      noticeRestart()
      pipeline.refuseAll(.connectionLost("the server has restarted"))
    }
    earlierRun = run
  }

  /// Ends an attempt to connect. Requests fail immediately until a later attempt succeeds.
  func fail(_ error: RedisError) {
    disconnect(error)
    mailbox.note { $0.failedConnects += 1 }
    if refusal != error { tell(.unreachable(error)) }
    refusal = error
    mailbox.refuse(error)
    pipeline.refuseAll(error)
    let delay = settings.backoff(attempts)
    attempts += 1
    phase = .idle(until: runningNanoseconds() + delay)
  }

  /// Ends an open connection or an attempt to connect.
  func lose(_ error: RedisError) {
    guard case .open = phase, pipeline.hasAnswered || !pipeline.isAwaiting else {
      return fail(error)
    }
    disconnect(error)
    tell(.disconnected(error))
    // When requests or followers are waiting, the next attempt begins immediately. Usually, a
    // server that has restarted, or that has closed an idle connection, is soon available again.
    phase = .idle(until: isNeeded ? 0 : nil)
  }

  /// When an error shows that the server has become a replica, ends the connection once the replies
  /// in flight have arrived. Then the next attempt resolves the name again, and may find the new
  /// primary.
  ///
  /// As long as the name leads to a replica, this happens at most once a second.
  func noteDemotion(_ error: [UInt8]) {
    guard error.starts(with: "READONLY ".utf8), !settings.readsReplica else { return }
    let now = runningNanoseconds()
    guard nextDemotion <= now else { return }
    nextDemotion = now + 1_000_000_000
    pipeline.isHeld = true
  }

  func disconnect(_ error: RedisError) {
    forgetReleasedFollowers()
    switch phase {
    case .idle, .resolving: break
    case .connecting(let socket), .securing(let socket), .greeting(let socket, _),
      .open(let socket):
      ticket.keep(socket.close())
    }
    route = nil
    mailbox.note { $0.connections = 0 }
    writeError = nil
    endFollowing()
    phase = .idle(until: nil)
    pipeline.interrupt(error)
  }
}
