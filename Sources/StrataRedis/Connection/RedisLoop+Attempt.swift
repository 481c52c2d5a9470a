import Dispatch
import StrataCore

extension RedisLoop /* : connecting */ {
  var attemptTime: Int64? {
    switch phase {
    case .idle(let until): until
    case .resolving, .connecting, .greeting: attemptEnd
    case .open: nil
    }
  }

  /// Whether a connection is needed.
  private var isNeeded: Bool {
    pipeline.hasRequests || !followers.isEmpty || !journal.isEmpty
  }

  /// Begins an attempt to connect, or sends a heartbeat, if either is due. Ends an attempt to
  /// connect, or an open connection, if its deadline has passed.
  func advance(_ now: Int64) {
    switch phase {
    case .idle(let until):
      let isTime = until.map { $0 <= now } ?? isNeeded
      if isTime { beginAttempt(now) }
    case .resolving, .connecting, .greeting:
      if attemptEnd <= now { fail(.unreachable("no answer within \(settings.deadline)")) }
    case .open:
      guard let time = heartbeatTime, time <= now else { return }
      if pipeline.isAwaiting { return lose(.connectionLost("the server doesn't answer")) }
      beat()
    }
  }

  func beginAttempt(_ now: Int64) {
    attemptEnd = now + settings.deadlineNanoseconds
    phase = .resolving
    let address: RedisAddress
    do { address = try settings.address.get() } catch { return fail(error) }
    if address.usesTLS {
      do throws(RedisError) {
        let socket = try TLSTunnel.connecting(
          to: address.endpoint, within: settings.deadlineNanoseconds)
        phase = .connecting(socket, others: [])
      } catch {
        fail(error)
      }
      return
    }
    if let known = try? RedisSocket.Address.all(of: address.endpoint, isNumeric: true) {
      return connect(.success(known))
    }
    // Resolving a name can take longer than the deadline, so another thread resolves the name.
    DispatchQueue.global().async { [mailbox] in
      let addresses = Result { () throws(RedisError) in
        try RedisSocket.Address.all(of: address.endpoint)
      }
      mailbox.add { $0.addresses = addresses }
    }
  }

  /// Starts connecting to the first address. If an attempt fails immediately, tries the next
  /// address.
  func connect(
    _ addresses: Result<[RedisSocket.Address], RedisError>, after reason: String? = nil
  ) {
    var reason = reason ?? "the name has no address"
    var rest: ArraySlice<RedisSocket.Address>
    switch addresses {
    case .success(let addresses): rest = addresses[...]
    case .failure(let error): return fail(error)
    }
    while let address = rest.popFirst() {
      do throws(RedisError) {
        let socket = try RedisSocket.connecting(to: address)
        phase = .connecting(socket, others: Array(rest))
        return
      } catch {
        if case .unreachable(let text) = error { reason = text }
      }
    }
    phase = .resolving
    fail(.unreachable(reason))
  }

  func greet(_ socket: RedisSocket) {
    guard case .success(let address) = settings.address else { return }
    let handshake = RedisHandshake(
      address, name: settings.clientName, replacing: earlierID, readsReplica: settings.readsReplica,
      wantsRun: !settings.isPersistent, following: followers.map(\.prefix))
    parser = ReplyParser()
    phase = .greeting(socket, handshake)
    // One write is enough, because a handshake is far smaller than the buffer of a new socket.
    let progress = handshake.request.bytes.withUnsafeBytes { socket.write($0) }
    if progress != .moved(handshake.request.bytes.count) {
      lose(.connectionLost(socket.reason() ?? "the server didn't accept the first requests"))
    }
  }

  func open(_ socket: RedisSocket, _ result: RedisHandshake.Result) {
    phase = .open(socket)
    (attempts, lastReceived) = (0, runningNanoseconds())
    if let id = result.id { earlierID = id }
    (refusal, hasAnswered) = (nil, false)
    mailbox.refuse(nil)
    journal.sendAgain()
    noteRun(result.run)
    isTracking = result.isTracking
    if isTracking { report(.began) }
  }

  /// Compares the ID of the server's run with the earlier one.
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
    refusal = error
    mailbox.refuse(error)
    pipeline.refuseAll(error)
    let delay = settings.backoff(attempts)
    attempts += 1
    phase = .idle(until: runningNanoseconds() + delay)
  }

  /// Ends an open connection or an attempt to connect.
  func lose(_ error: RedisError) {
    guard case .open = phase, hasAnswered || !pipeline.isAwaiting else { return fail(error) }
    disconnect(error)
    // If requests or followers are waiting, the next attempt begins immediately. A server that has
    // restarted, or that has closed an idle connection, is usually available again soon.
    phase = .idle(until: isNeeded ? 0 : nil)
  }

  func disconnect(_ error: RedisError) {
    forgetReleasedFollowers()
    switch phase {
    case .idle, .resolving: break
    case .connecting(let socket, _), .greeting(let socket, _), .open(let socket): socket.close()
    }
    if isTracking {
      isTracking = false
      report(.ended)
    }
    phase = .idle(until: nil)
    pipeline.interrupt(error)
  }
}
