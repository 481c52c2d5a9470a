import StrataCore
import Synchronization

/// The queue through which all threads send requests to the thread of a connection.
final class RedisMailbox: Sendable {
  struct Limits: Sendable {
    var requests = 10_000
    var bytes = 64 << 20
  }

  /// The requests and instructions for the connection's thread.
  struct Delivery {
    var requests: [RedisRequest] = []
    var followers: [RedisFollower] = []
    /// Whether the cache of a follower was released.
    var forgetsFollowers = false
    var route: Result<RedisRoute, RedisError>?
    var isStopping = false
    /// A closure to call when the thread has stopped.
    var whenStopped: (@Sendable () -> Void)?
    /// Whether this delivery contains more than requests.
    var hasInstructions = false
    /// The time until which the mailbox holds the requests, or `nil` if the mailbox delivers them
    /// immediately.
    var holdsUntil: Int64?
  }

  /// The maximum time, in nanoseconds, for which the mailbox holds the requests of a ``CallGroup``.
  private static let longestHold: Int64 = 2_000_000

  private struct State {
    var delivery = Delivery()
    /// The error with which new requests fail immediately, or `nil` if the mailbox accepts
    /// requests.
    var failure: RedisError?
    var isClosed = false
    var thread = Thread.asleep(until: .max, nil)
    /// The metrics of the connection, except the numbers that are in the properties above.
    var metrics = RedisMetrics()

    /// Returns whether the caller must write to the pipe to wake the thread.
    mutating func wake() -> Bool {
      guard case .asleep = thread else { return false }
      thread = .awake
      return true
    }

    /// Lends the loop to a caller, if the thread sleeps and will wake by the deadline.
    mutating func lendLoop(until deadline: Int64) -> (loop: RedisLoop, sleepsUntil: Int64)? {
      guard case .asleep(let end, let loop?) = thread, end <= deadline, delivery.requests.isEmpty
      else { return nil }
      thread = .replaced(isWaiting: false)
      return (loop, end)
    }

    /// Returns whether a caller is using the loop. If so, the thread, which has just woken, must
    /// wait until that caller writes to the pipe.
    mutating func mustWait() -> Bool {
      guard case .replaced = thread else {
        thread = .awake
        return false
      }
      thread = .replaced(isWaiting: true)
      return true
    }
  }

  /// The state of the connection's thread.
  private enum Thread {
    /// It looks at the mailbox before it sleeps, so callers needn't wake it.
    case awake
    /// It sleeps until the given time. If the loop is present, callers may use it to send their
    /// requests.
    case asleep(until: Int64, RedisLoop?)
    /// A caller is using the loop. When the thread wakes meanwhile, it waits until the caller
    /// writes to the pipe.
    case replaced(isWaiting: Bool)
  }

  private let state = Lock(State())
  /// The number of requests that are waiting or in flight. A request for several keys counts as
  /// several.
  private let count = Atomic(0)
  /// The total size of these requests in bytes.
  private let bytes = Atomic(0)
  private let pipe: WakePipe
  private let limits: Limits
  /// The number of keys in the requests in flight.
  let inFlight = Atomic(0)

  /// The file descriptor that becomes readable when the connection's thread must take a delivery.
  var descriptor: Int32 { pipe.reader }

  init?(limits: Limits) {
    guard let pipe = WakePipe() else { return nil }
    (self.pipe, self.limits) = (pipe, limits)
  }

  /// Queues a request. When the queue is full or the server can't be reached, the request fails
  /// immediately.
  ///
  /// The requests of a ``CallGroup`` reach the connection's thread together, unless the group takes
  /// longer than 2 ms.
  func send(_ request: RedisRequest) {
    var holdsUntil: Int64?
    if let group = CallGroup.current, !group.contains(ObjectIdentifier(self)) {
      group.add(ObjectIdentifier(self)) { self.add { $0.holdsUntil = nil } }
      holdsUntil = runningNanoseconds() + Self.longestHold
    }
    let step = state.withLock { state -> Step in
      if let failure = state.failure { return .refuse(failure) }
      let isFull =
        count.load(ordering: .relaxed) + request.count > limits.requests
        || bytes.load(ordering: .relaxed) > limits.bytes
      if isFull { return .refuse(.queueFull(limit: limits.requests)) }
      count.add(request.count, ordering: .relaxed)
      bytes.add(request.size, ordering: .relaxed)
      if holdsUntil == nil, let lent = state.lendLoop(until: request.deadline) {
        return .send(lent.loop, sleepsUntil: lent.sleepsUntil)
      }
      state.delivery.requests.append(request)
      if let holdsUntil { state.delivery.holdsUntil = holdsUntil }
      return state.wake() ? .wake : .none
    }
    switch step {
    case .none: break
    case .wake: pipe.wake()
    case .send(let loop, let end): send(request, loop, end)
    case .refuse(let failure): request.finish(.failure(.error(failure)))
    }
  }

  /// The next step of a caller that has added a request.
  private enum Step {
    case none, wake
    case send(RedisLoop, sleepsUntil: Int64)
    case refuse(RedisError)
  }

  /// Sends a request on the caller's thread. Then gives the loop back to the connection's thread,
  /// and wakes it if there is more to do.
  private func send(_ request: RedisRequest, _ loop: RedisLoop, _ end: Int64) {
    let isSent = loop.send(request)
    let mustWake = state.withLock { state in
      let isQuiet = state.delivery.requests.isEmpty && !state.delivery.hasInstructions
      if isSent, isQuiet, case .replaced(isWaiting: false) = state.thread {
        state.thread = .asleep(until: end, loop)
        return false
      }
      state.thread = .awake
      return true
    }
    if mustWake { pipe.wake() }
  }

  /// Changes the next delivery, and wakes the connection's thread.
  func add(_ change: (inout Delivery) -> Void) {
    let isFirst = state.withLock { state in
      change(&state.delivery)
      state.delivery.hasInstructions = true
      return state.wake()
    }
    if isFirst { pipe.wake() }
  }

  /// Returns the next delivery for the connection's thread.
  ///
  /// - Parameter isSignalled: Whether the descriptor is readable.
  func take(isSignalled: Bool) -> Delivery {
    if isSignalled { pipe.drain() }  // Before locking, so no later wake-up is lost.
    return state.withLock { state in
      state.thread = .awake
      var delivery = state.delivery
      state.delivery = Delivery()
      state.delivery.requests.reserveCapacity(delivery.requests.count)
      if let end = delivery.holdsUntil, end > runningNanoseconds() {
        (state.delivery.requests, state.delivery.holdsUntil) = (delivery.requests, end)
        delivery.requests = []
      } else {
        delivery.holdsUntil = nil
      }
      return delivery
    }
  }

  /// Prepares the mailbox for the sleep of the connection's thread. Returns `false` if the thread
  /// must not sleep, because there is a delivery.
  ///
  /// - Parameters:
  ///   - end: The time until which the mailbox holds requests, according to the last delivery.
  ///   - time: The time at which the thread wakes.
  ///   - loop: The loop with which callers may send requests while the thread sleeps, if any.
  func mayLetSleep(holdingUntil end: Int64?, until time: Int64, lending loop: RedisLoop?) -> Bool {
    state.withLock { state in
      let isHeld =
        state.delivery.requests.isEmpty || end != nil && state.delivery.holdsUntil == end
      guard isHeld, !state.delivery.hasInstructions else { return false }
      state.thread = .asleep(until: time, loop)
      return true
    }
  }

  /// Ends the sleep of the connection's thread. When a caller is using the loop, waits until it has
  /// finished.
  func endSleep() {
    while state.withLock({ $0.mustWait() }) { pipe.wait() }
  }

  /// Frees the room of answered requests, given their number and their size in bytes.
  ///
  /// The connection's thread calls this function before it answers the requests, so each answer
  /// already leaves room for a new request.
  func end(_ requests: Int, _ bytes: Int) {
    count.subtract(requests, ordering: .relaxed)
    self.bytes.subtract(bytes, ordering: .relaxed)
  }

  /// Makes new requests fail immediately with an error, or accepts requests again if the error is
  /// `nil`.
  func refuse(_ failure: RedisError?) {
    state.withLock { if !$0.isClosed { $0.failure = failure } }
  }

  /// Makes all new requests fail.
  func close() { state.withLock { ($0.isClosed, $0.failure) = (true, .closed) } }

  /// Changes the metrics.
  func note(_ change: (inout RedisMetrics) -> Void) { state.withLock { change(&$0.metrics) } }

  var metrics: RedisMetrics {
    var metrics = state.withLock { $0.metrics }
    let count = count.load(ordering: .relaxed)
    metrics.inFlight = min(inFlight.load(ordering: .relaxed), count)
    (metrics.waiting, metrics.bytes) = (count - metrics.inFlight, bytes.load(ordering: .relaxed))
    return metrics
  }
}
