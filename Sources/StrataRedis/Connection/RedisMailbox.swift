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
    /// Whether there is more than requests.
    var hasInstructions = false
    /// The time until which the mailbox holds the requests, or `nil` if the mailbox delivers them
    /// immediately.
    var holdsUntil: Int64?
  }

  /// The maximum time, in nanoseconds, that the requests of a ``CallGroup`` wait for the end of the
  /// group.
  private static let longestHold: Int64 = 2_000_000

  private struct State {
    var delivery = Delivery()
    /// The number of requests that are waiting or in flight, and their total size in bytes. A
    /// request for several keys counts as several requests.
    var (count, bytes) = (0, 0)
    /// The error with which new requests fail immediately, or `nil` if the mailbox accepts
    /// requests.
    var failure: RedisError?
    var isClosed = false
    /// Whether the thread looks at the mailbox before it sleeps, so no caller must wake it.
    var isAwake = false
    /// The state of the connection, without the numbers that the properties above contain.
    var metrics = RedisMetrics()

    /// Returns whether the caller must write to the pipe to wake the thread.
    mutating func wake() -> Bool {
      defer { isAwake = true }
      return !isAwake
    }
  }

  private let state = Lock(State())
  private let pipe: WakePipe
  private let limits: Limits
  /// The number of keys of the requests in flight.
  let inFlight = Atomic(0)

  /// The file descriptor that becomes readable when there is a delivery for the connection's
  /// thread.
  var descriptor: Int32 { pipe.reader }

  init?(limits: Limits) {
    guard let pipe = WakePipe() else { return nil }
    (self.pipe, self.limits) = (pipe, limits)
  }

  /// Queues a request. If the queue is full or the server can't be reached, the request fails
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
    let (failure, isFirst) = state.withLock { state -> (RedisError?, Bool) in
      if let failure = state.failure { return (failure, false) }
      let isFull = state.count + request.count > limits.requests || state.bytes > limits.bytes
      if isFull { return (.queueFull(limit: limits.requests), false) }
      state.count += request.count
      state.bytes += request.size
      state.delivery.requests.append(request)
      if let holdsUntil { state.delivery.holdsUntil = holdsUntil }
      return (nil, state.wake())
    }
    if isFirst { pipe.wake() }
    if let failure { request.finish(.failure(.error(failure))) }
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
    if isSignalled { pipe.drain() }  // Drains the pipe before locking, so no later wake-up is lost.
    return state.withLock { state in
      state.isAwake = true
      var delivery = state.delivery
      state.delivery = Delivery()
      if let end = delivery.holdsUntil, end > runningNanoseconds() {
        (state.delivery.requests, state.delivery.holdsUntil) = (delivery.requests, end)
        delivery.requests = []
      } else {
        delivery.holdsUntil = nil
      }
      return delivery
    }
  }

  /// Prepares the mailbox for the sleep of the connection's thread. Returns `false` if the thread must
  /// not sleep, because there is a delivery.
  ///
  /// - Parameter end: The time until which the mailbox holds requests, as far as the thread knows.
  func mayLetSleep(holdingUntil end: Int64?) -> Bool {
    state.withLock { state in
      let isHeld =
        state.delivery.requests.isEmpty || end != nil && state.delivery.holdsUntil == end
      guard isHeld, !state.delivery.hasInstructions else { return false }
      state.isAwake = false
      return true
    }
  }

  /// Lets the limits ignore a request from now on.
  ///
  /// The connection's thread calls this function before it answers the request, so a caller that
  /// receives the answer can send the next request.
  func end(_ request: RedisRequest) {
    state.withLock { state in
      state.count -= request.count
      state.bytes -= request.size
    }
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
    state.withLock { state in
      var metrics = state.metrics
      metrics.inFlight = min(inFlight.load(ordering: .relaxed), state.count)
      (metrics.waiting, metrics.bytes) = (state.count - metrics.inFlight, state.bytes)
      return metrics
    }
  }
}
