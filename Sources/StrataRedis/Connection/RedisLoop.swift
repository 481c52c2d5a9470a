import Foundation
import StrataCore
import Synchronization

/// The loop that runs on the thread of a connection. Only the connection's thread uses the members
/// of this class.
///
/// The thread sleeps until the socket is ready, a request arrives, or a deadline passes. After each
/// sleep, the thread sends all waiting requests together.
final class RedisLoop {
  enum Phase {
    /// There is no connection. The next attempt to connect begins at the associated time, or with
    /// the next request if that time is `nil`.
    case idle(until: Int64?)
    case resolving
    case connecting(RedisSocket, RedisRoute)
    /// The TLS handshake.
    case securing(RedisSocket, RedisRoute)
    case greeting(RedisSocket, RedisHandshake)
    case open(RedisSocket)
  }

  let settings: RedisSettings
  let mailbox: RedisMailbox
  let journal: RedisJournal
  var phase = Phase.idle(until: nil)
  /// The deadline of the current attempt to connect.
  var attemptEnd = Int64.max
  var attempts = 0
  var pipeline: RedisPipeline
  var parser = ReplyParser()
  var followers: [RedisFollower] = []
  var isTracking = false
  /// Whether the server sends reports of writes on this connection. Without RESP3, it doesn't.
  var sendsReports = false
  /// The prefixes in the greeting.
  var requested: [[UInt8]] = []
  /// The prefixes that were registered on this connection.
  var tracked: [[UInt8]] = []
  /// The number of the last request that registers prefixes. Only its reply begins the reports.
  var registration = 0
  /// The number of the last such request that the server has accepted.
  var registered = 0
  /// Whether the server has refused prefixes on this connection.
  var hasRefusedPrefixes = false
  /// The followers that know that the connection reports writes.
  var begun: Set<ObjectIdentifier> = []
  var lastReceived: Int64 = 0
  /// The identity of the latest connection on its server.
  var earlier: RedisHandshake.Identity?
  /// The ticket that the latest connection has left, with which the next one resumes its session.
  var ticket: (any TLSTicket)?
  /// The ID of the server's run on the last connection, in a cluster.
  var earlierRun: [UInt8]?
  /// The error with which requests fail immediately, or `nil` if requests are accepted.
  var refusal: RedisError?
  /// The time before which the connection isn't closed because its server is a replica.
  var nextDemotion = Int64.min
  /// Whether the server has answered a request on the current connection.
  var hasAnswered = false
  /// Whether the prefixes of released caches may have to be unregistered.
  var mayForget = false
  private var isStopping = false
  private var whenStopped: (@Sendable () -> Void)?
  /// The time at which the mailbox delivers its held requests, or `nil` if the mailbox holds no
  /// requests.
  private var holdsUntil: Int64?
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)

  init(_ settings: RedisSettings, _ mailbox: RedisMailbox, _ journal: RedisJournal) {
    (self.settings, self.mailbox, self.journal) = (settings, mailbox, journal)
    pipeline = RedisPipeline(sizes: settings.sizes, ended: mailbox.end)
  }

  deinit { piece.deallocate() }

  private var isAtItsEnd: Bool { isStopping && !pipeline.isOwing && holdsUntil == nil }

  /// Runs until the connection is stopped and every request has been answered or has timed out.
  func run() {
    blockSignals()
    var isSignalled = true
    while !isAtItsEnd {
      let delivery = mailbox.take(isSignalled: isSignalled)
      receive(delivery)
      let now = runningNanoseconds()
      if pipeline.expire(at: now, waitingFor: attemptFault) { endIfSilent(now) }
      advance(now)
      if mayForget {
        mayForget = false
        forgetFollowers()
      }
      repair()
      write()
      mailbox.inFlight.store(pipeline.inFlightCount, ordering: .relaxed)
      isSignalled = wait()
    }
    disconnect(.connectionLost("it was closed"))
    report(.left)
    tell(.closed)
    whenStopped?()
  }

  private func receive(_ delivery: RedisMailbox.Delivery) {
    pipeline.add(delivery.requests)
    if let refusal { pipeline.refuseAll(refusal) }
    if delivery.forgetsFollowers { mayForget = true }
    for follower in delivery.followers { add(follower) }
    if let route = delivery.route, case .resolving = phase { connect(route) }
    if delivery.isStopping { isStopping = true }
    if let receive = delivery.whenStopped { whenStopped = receive }
    holdsUntil = delivery.holdsUntil
  }

  /// Sleeps until the socket or the mailbox is ready, or until the next deadline. Returns whether
  /// the mailbox is ready.
  private func wait() -> Bool {
    var hasInput = false
    var polled = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
    switch phase {
    case .idle, .resolving: break
    case .connecting(let socket, _):
      polled.append(pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0))
    case .securing(let socket, _), .greeting(let socket, _), .open(let socket):
      let events = socket.events(isWriting: !pipeline.output.bytes.isEmpty)
      polled.append(pollfd(fd: socket.descriptor, events: events, revents: 0))
      hasInput = socket.layer?.hasInput == true
    }
    let next = min(
      min(pipeline.deadline ?? .max, attemptTime ?? .max),
      min(heartbeatTime ?? .max, holdsUntil ?? .max))
    let milliseconds: Int32? =
      next == .max
      ? nil : Int32(clamping: (max(0, next - runningNanoseconds()) + 999_999) / 1_000_000)
    if isAtItsEnd { return false }
    let maySleep = mailbox.mayLetSleep(holdingUntil: holdsUntil) && !hasInput
    let timeout = maySleep ? milliseconds ?? -1 : 0
    guard poll(&polled, nfds_t(polled.count), timeout) > 0 || hasInput else { return false }
    if polled.count > 1, polled[1].revents != 0 || hasInput { socketIsReady() }
    return polled[0].revents != 0
  }

  private func socketIsReady() {
    switch phase {
    case .idle, .resolving: break
    case .connecting(let socket, let route):
      if let error = socket.failure {
        socket.close()
        connect(.success(route), after: error)
      } else {
        secure(socket, route)
      }
    case .securing(let socket, let route): shakeHands(socket, route)
    case .greeting(let socket, _), .open(let socket): read(socket)
    }
  }

  /// Passes a change of state to the program.
  func tell(_ change: RedisEvent.Change) {
    settings.onEvent?(RedisEvent(server: settings.label, change: change))
  }

  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}

extension RedisLoop /* : input and output */ {
  private func write() {
    guard case .open(let socket) = phase else { return }
    while true {
      pipeline.fill()
      guard !pipeline.output.bytes.isEmpty else { return }
      switch pipeline.output.bytes.withUnsafeBytes({ socket.write($0) }) {
      case .moved(let count): pipeline.removeOutput(count)
      case .blocked: return
      case .ended(let error): return lose(error)
      }
    }
  }

  private func read(_ socket: RedisSocket) {
    switch socket.read(into: piece) {
    case .moved(let count):
      lastReceived = runningNanoseconds()
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
    while let part = try parser.nextPart(splitsList: pipeline.expectsElements) {
      if case .whole(.push(let elements)) = part {
        receivePush(elements)
        continue
      }
      switch phase {
      case .greeting(let socket, var handshake):
        guard case .whole(let reply) = part, !handshake.isComplete else {
          throw .protocolViolation("a greeting is too long")
        }
        try handshake.receive(reply)
        if handshake.isComplete { open(socket, handshake.result) } else { greet(socket, handshake) }
      case .open:
        hasAnswered = true
        if case .whole(.failure(let error)) = part { noteDemotion(error) }
        try pipeline.receive(part)
        if pipeline.isHeld, !pipeline.isAwaiting { return lose(.connectionLost("it was demoted")) }
      case .idle, .resolving, .connecting, .securing: return
      }
    }
  }

  /// Ends the connection if the server has sent nothing for at least the maximum duration of a
  /// request.
  private func endIfSilent(_ now: Int64) {
    guard case .open = phase, lastReceived + settings.deadlineNanoseconds <= now else { return }
    lose(.connectionLost("the server doesn't answer"))
  }
}
