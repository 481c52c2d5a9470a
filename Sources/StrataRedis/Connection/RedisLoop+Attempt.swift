import Dispatch
import StrataCore

extension RedisLoop /* : connecting */ {
  var attemptTime: Int64? {
    switch phase {
    case .idle(let until): until
    case .resolving, .connecting, .securing, .greeting: attemptEnd
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
  /// attempt or of an open connection has passed, ends this attempt or connection.
  func advance(_ now: Int64) {
    switch phase {
    case .idle(let until):
      let isTime = until.map { $0 <= now } ?? isNeeded
      if isTime { beginAttempt(now) }
    case .resolving, .connecting, .securing, .greeting:
      if attemptEnd <= now, let attemptFault { fail(attemptFault) }
    case .open:
      guard let time = heartbeatTime, time <= now else { return }
      if pipeline.isAwaiting { return lose(.connectionLost("the server doesn't answer")) }
      beat()
    }
  }

  func beginAttempt(_ now: Int64) {
    attemptEnd = now + settings.deadlineNanoseconds
    phase = .resolving
    let endpoint: RedisAddress.Endpoint
    do { endpoint = try settings.address.get().endpoint } catch { return fail(error) }
    if let sentinels = settings.sentinels {
      return sentinels.locate { [mailbox, tls = settings.tls] endpoint in
        Self.resolve(endpoint, tls, mailbox)
      }
    }
    if settings.tls == nil,
      let known = try? RedisSocket.Address.all(of: endpoint, isNumeric: true)
    {
      return connect(.success(RedisRoute(endpoint: endpoint, addresses: known[...])))
    }
    Self.resolve(.success(endpoint), settings.tls, mailbox)
  }

  /// Resolves a name and reads certificates on another thread, because this can take longer than
  /// the deadline.
  private static func resolve(
    _ endpoint: Result<RedisAddress.Endpoint, RedisError>, _ tls: TLSContexts?,
    _ mailbox: RedisMailbox
  ) {
    DispatchQueue.global().async {
      let route = Result { () throws(RedisError) in try RedisRoute(to: endpoint.get(), tls) }
      mailbox.add { $0.route = route }
    }
  }

  /// Starts connecting to the first address. When the attempt fails immediately, tries the next
  /// address.
  func connect(_ route: Result<RedisRoute, RedisError>, after error: RedisError? = nil) {
    var error = error
    do throws(RedisError) {
      var route = try route.get()
      while let next = route.next(within: attemptEnd - runningNanoseconds()) {
        do throws(RedisError) {
          phase = .connecting(try next.get(), route)
          return
        } catch let other { error = other }
      }
    } catch let other { error = other }
    phase = .resolving
    fail(error ?? .unreachable("the name has no address"))
  }

  /// Begins the TLS handshake, or the greeting if the connection doesn't need a handshake.
  func secure(_ socket: RedisSocket, _ route: RedisRoute) {
    do throws(RedisError) {
      guard let layer = try route.layer(on: socket, resuming: ticket) else { return greet(socket) }
      var socket = socket
      socket.layer = layer
      phase = .securing(socket, route)
      shakeHands(socket, route)
    } catch {
      socket.close()
      connect(.success(route), after: error)
    }
  }

  /// Continues the TLS handshake.
  func shakeHands(_ socket: RedisSocket, _ route: RedisRoute) {
    do throws(RedisError) {
      if try socket.layer?.shakeHands() != false { greet(socket) }
    } catch {
      ticket = nil
      socket.close()
      connect(.success(route), after: error)
    }
  }

  private func greet(_ socket: RedisSocket) {
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
    case .connecting(let socket, _), .securing(let socket, _), .greeting(let socket, _),
      .open(let socket):
      ticket = socket.close() ?? ticket
    }
    mailbox.note { $0.connections = 0 }
    writeError = nil
    endFollowing()
    phase = .idle(until: nil)
    pipeline.interrupt(error)
  }
}
