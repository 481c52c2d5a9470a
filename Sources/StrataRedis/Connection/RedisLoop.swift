import Foundation
import StrataCore
import Synchronization

/// The loop that runs on the thread of a connection. Only this thread uses the loop, with one
/// exception: while it sleeps, the mailbox can lend the loop to one caller, which calls `send(_:)`.
///
/// The thread sleeps until the socket is ready, a request arrives, or a deadline passes. After each
/// sleep, the thread sends all waiting requests together.
final class RedisLoop {
  enum Phase {
    /// There is no connection. The next attempt to connect begins at the associated time, or with
    /// the next request if that time is `nil`.
    case idle(until: Int64?)
    case resolving
    case connecting(RedisSocket)
    /// The TLS handshake.
    case securing(RedisSocket)
    case greeting(RedisSocket, RedisHandshake)
    case open(RedisSocket)
  }

  let settings: RedisSettings
  let mailbox: RedisMailbox
  let journal: RedisJournal
  var phase = Phase.idle(until: nil)
  /// The deadline of the current attempt to connect.
  var attemptEnd = Int64.max
  /// The time at which the attempt gives up the current address, to try the next one.
  var addressEnd = Int64.max
  /// The addresses that the current attempt can still try.
  var route: RedisRoute?
  /// Whether another thread is looking up the server's addresses. This can outlast the attempt.
  var isLookingUp = false
  var attempts = 0
  var pipeline: RedisPipeline
  var parser = ReplyParser()
  var followers: [RedisFollower] = []
  var isTracking = false
  /// Whether the server sends reports of writes on this connection, which requires RESP3.
  var sendsReports = false
  /// The prefixes in the greeting.
  var requested: [[UInt8]] = []
  /// The prefixes that were registered on this connection.
  var tracked: [[UInt8]] = []
  /// The number of the last request that registers prefixes. Reports begin with the reply to this
  /// request.
  var registration = 0
  /// The number of the last registration that the server has accepted.
  var registered = 0
  /// Whether the server has refused prefixes on this connection.
  var hasRefusedPrefixes = false
  /// The followers that were informed that the connection reports writes.
  var begun: Set<ObjectIdentifier> = []
  var lastReceived: Int64 = 0
  /// The server's identity for the latest connection.
  var earlier: RedisHandshake.Identity?
  /// The TLS ticket of the latest connection. The next connection uses it to resume the session.
  var ticket = KeptTicket()
  /// The time at which the keys of the journal are sent again, because the server has refused to
  /// remove some of them.
  var repairTime: Int64?
  /// How many removals in a row the server has refused on this connection.
  var refusedRepairs = 0
  /// The ID of the server's run on the last connection, in a cluster.
  var earlierRun: [UInt8]?
  /// The error with which requests fail immediately, or `nil` if requests are accepted.
  var refusal: RedisError?
  /// The earliest time at which the connection may be closed because its server is a replica.
  var nextDemotion = Int64.min
  /// Whether the prefixes of released caches may have to be unregistered.
  var mayForget = false
  /// The error if the connection has ended while a caller was using the loop.
  var writeError: RedisError?
  /// Whether the connection was used since the thread's last sleep.
  var isInUse = false
  /// Whether the last replies answered a single request.
  var isSequential = false
  private var isStopping = false
  private var whenStopped: (@Sendable () -> Void)?
  /// The time at which the mailbox delivers its held requests, or `nil` if the mailbox holds no
  /// requests.
  private var holdsUntil: Int64?
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)

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
    if !delivery.requests.isEmpty {
      isInUse = true
      pipeline.add(delivery.requests)
    }
    if let refusal { pipeline.refuseAll(refusal) }
    if delivery.forgetsFollowers { mayForget = true }
    for follower in delivery.followers { add(follower) }
    if let route = delivery.route { receive(route) }
    if delivery.isStopping { isStopping = true }
    if let receive = delivery.whenStopped { whenStopped = receive }
    holdsUntil = delivery.holdsUntil
  }

  /// Sleeps until the socket or the mailbox is ready, or until the next deadline. Returns whether
  /// the mailbox is ready.
  private func wait() -> Bool {
    var hasInput = false
    // A descriptor below zero is never ready.
    var polled = (
      pipe: pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0),
      socket: pollfd(fd: -1, events: 0, revents: 0)
    )
    switch phase {
    case .idle, .resolving: break
    case .connecting(let socket):
      polled.socket = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
    case .securing(let socket), .greeting(let socket, _), .open(let socket):
      let events = socket.events(isWriting: !pipeline.output.bytes.isEmpty)
      polled.socket = pollfd(fd: socket.descriptor, events: events, revents: 0)
      hasInput = socket.layer?.hasInput == true
    }
    if isAtItsEnd { return false }
    let (end, timeout) = sleepEnd()
    let maySleep = mailbox.mayLetSleep(holdingUntil: holdsUntil, until: end, lending: lentLoop)
    let count = withUnsafeMutableBytes(of: &polled) {
      poll(
        $0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, maySleep && !hasInput ? timeout : 0)
    }
    if maySleep { mailbox.endSleep() }
    guard count > 0 || hasInput else { return false }
    if polled.socket.revents != 0 || hasInput { socketIsReady() }
    return polled.pipe.revents != 0
  }

  /// The time at which the thread wakes if nothing wakes it earlier, and the milliseconds until
  /// then.
  ///
  /// After use of the connection, the thread sleeps at most as long as a request may take. So it
  /// wakes before the deadline of each request that a caller sends in the meantime.
  private func sleepEnd() -> (time: Int64, milliseconds: Int32) {
    var end = min(
      min(pipeline.deadline ?? .max, attemptTime ?? .max),
      min(heartbeatTime ?? .max, min(nextRepair ?? .max, holdsUntil ?? .max)))
    guard end != .max || isInUse else { return (end, -1) }
    let now = runningNanoseconds()
    if isInUse { end = min(end, now + settings.deadlineNanoseconds) }
    isInUse = false
    return (end, Int32(clamping: (max(0, end - now) + 999_999) / 1_000_000))
  }

  private func socketIsReady() {
    switch phase {
    case .idle, .resolving: break
    case .connecting(let socket):
      if let error = socket.failure { return leave(socket, after: error) }
      beginShare(runningNanoseconds())
      secure(socket)
    case .securing(let socket):
      addressEnd = attemptEnd  // The server isn't silent.
      shakeHands(socket)
    case .greeting(let socket, _):
      addressEnd = attemptEnd
      read(socket)
    case .open(let socket): read(socket)
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
