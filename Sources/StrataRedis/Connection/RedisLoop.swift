import Foundation
import StrataCore

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
    case connecting(RedisSocket, others: [RedisSocket.Address])
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
  var lastReceived: Int64 = 0
  var earlierID: Int64?
  /// The ID of the server's run on the last connection, in a cluster.
  var earlierRun: [UInt8]?
  /// The error with which requests fail immediately, or `nil` if requests are accepted.
  var refusal: RedisError?
  /// Whether the server has answered a request on the current connection.
  var hasAnswered = false
  private var isStopping = false
  /// The time at which the mailbox delivers its held requests, or `nil` if the mailbox holds no
  /// requests.
  private var holdsUntil: Int64?
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 << 10, alignment: 16)

  init(_ settings: RedisSettings, _ mailbox: RedisMailbox, _ journal: RedisJournal) {
    (self.settings, self.mailbox, self.journal) = (settings, mailbox, journal)
    pipeline = RedisPipeline(sizes: settings.sizes, ended: mailbox.end)
  }

  deinit { piece.deallocate() }

  /// Runs until the connection is stopped and every request has been answered.
  func run() {
    blockSignals()
    var isSignalled = true
    while !isStopping || pipeline.hasRequests || holdsUntil != nil {
      let delivery = mailbox.take(isSignalled: isSignalled)
      receive(delivery)
      let now = runningNanoseconds()
      if pipeline.expire(at: now) { endIfSilent(now) }
      advance(now)
      repair()
      write()
      isSignalled = wait()
    }
    disconnect(.connectionLost("it was closed"))
    report(.left)
  }

  private func receive(_ delivery: RedisMailbox.Delivery) {
    pipeline.add(delivery.requests)
    if let refusal { pipeline.refuseAll(refusal) }
    for follower in delivery.followers { add(follower) }
    if let addresses = delivery.addresses, case .resolving = phase { connect(addresses) }
    if delivery.isStopping { isStopping = true }
    holdsUntil = delivery.holdsUntil
  }

  /// Sleeps until the socket or the mailbox is ready, or until the next deadline. Returns whether
  /// the mailbox is ready.
  private func wait() -> Bool {
    var polled = [pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0)]
    switch phase {
    case .idle, .resolving: break
    case .connecting(let socket, _):
      polled.append(pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0))
    case .greeting(let socket, _), .open(let socket):
      let isWriting = !pipeline.output.bytes.isEmpty
      let events = Int16(POLLIN) | (isWriting ? Int16(POLLOUT) : 0)
      polled.append(pollfd(fd: socket.descriptor, events: events, revents: 0))
    }
    let next = [pipeline.deadline, attemptTime, heartbeatTime, holdsUntil].compactMap { $0 }.min()
    let milliseconds = next.map { time in
      Int32(clamping: (max(0, time - runningNanoseconds()) + 999_999) / 1_000_000)
    }
    if isStopping, !pipeline.hasRequests, holdsUntil == nil { return false }
    guard poll(&polled, nfds_t(polled.count), milliseconds ?? -1) > 0 else { return false }
    if polled.count > 1, polled[1].revents != 0 { socketIsReady() }
    return polled[0].revents != 0
  }

  private func socketIsReady() {
    switch phase {
    case .idle, .resolving: break
    case .connecting(let socket, let others):
      if let reason = socket.failure {
        socket.close()
        connect(.success(others), after: reason)
      } else {
        greet(socket)
      }
    case .greeting(let socket, _), .open(let socket): read(socket)
    }
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
      case .ended(let reason): return lose(.connectionLost(reason))
      }
    }
  }

  private func read(_ socket: RedisSocket) {
    switch socket.read(into: piece) {
    case .moved(let count):
      lastReceived = runningNanoseconds()
      parser.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      do throws(RedisError) { try receiveReplies() } catch { lose(error) }
    case .blocked: break
    case .ended(let reason): lose(.connectionLost(reason))
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
        phase = .greeting(socket, handshake)
        if handshake.isComplete { open(socket, handshake.result) }
      case .open:
        hasAnswered = true
        try pipeline.receive(part)
      case .idle, .resolving, .connecting: return
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
