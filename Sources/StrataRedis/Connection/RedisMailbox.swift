import Strata

/// The queue through which all threads send requests to the thread of a connection.
final class RedisMailbox: Sendable {
  struct Limits: Sendable {
    var requests = 10_000
    var bytes = 64 << 20
  }

  /// The requests and instructions for the thread.
  struct Delivery {
    var requests: [RedisRequest] = []
    var followers: [RedisFollower] = []
    var addresses: Result<[RedisSocket.Address], RedisError>?
    var isStopping = false
    /// The time until which the requests are held back, or `nil` if they aren't.
    var holdsUntil: Int64?
  }

  /// The maximum time that requests wait for the end of their group, in nanoseconds.
  private static let longestHold: Int64 = 2_000_000

  private struct State {
    var delivery = Delivery()
    /// The number and the size of the requests that wait or are in flight.
    var (count, bytes) = (0, 0)
    /// The reason why requests fail immediately, or `nil` if they don't.
    var failure: RedisError?
    var isAwake = false

    /// Returns whether the caller must write to the pipe.
    mutating func wake() -> Bool {
      defer { isAwake = true }
      return !isAwake
    }
  }

  private let state = Lock(State())
  private let pipe: WakePipe
  private let limits: Limits

  /// The descriptor that becomes readable when there is a delivery for the thread.
  var descriptor: Int32 { pipe.reader }

  init?(limits: Limits) {
    guard let pipe = WakePipe() else { return nil }
    (self.pipe, self.limits) = (pipe, limits)
  }

  /// Adds a request, or fails it immediately if the queue is full or the server can't be reached.
  ///
  /// The requests of a ``CallGroup`` arrive together.
  func send(_ request: RedisRequest) {
    let isNew = CallGroup.current?.add(ObjectIdentifier(self)) { self.add { $0.holdsUntil = nil } }
    let holdsUntil = isNew == true ? runningNanoseconds() + Self.longestHold : nil
    let (failure, isFirst) = state.withLock { state -> (RedisError?, Bool) in
      if let failure = state.failure { return (failure, false) }
      let isFull = state.count >= limits.requests || state.bytes > limits.bytes
      if isFull { return (.queueFull(limit: limits.requests), false) }
      state.count += 1
      state.bytes += request.size
      state.delivery.requests.append(request)
      if let holdsUntil { state.delivery.holdsUntil = holdsUntil }
      return (nil, state.wake())
    }
    if isFirst { pipe.wake() }
    if let failure {
      var request = request
      request.finish(.failure(.error(failure)))
    }
  }

  /// Changes the next delivery, and wakes the thread.
  func add(_ change: (inout Delivery) -> Void) {
    let isFirst = state.withLock { state in
      change(&state.delivery)
      return state.wake()
    }
    if isFirst { pipe.wake() }
  }

  /// Returns the next delivery. Subtracts the answered requests from the counts.
  ///
  /// - Parameter isSignalled: Whether the descriptor is readable.
  func take(isSignalled: Bool, answered: (count: Int, bytes: Int)) -> Delivery {
    if isSignalled { pipe.drain() }  // Drains before locking, so a later signal isn't lost.
    return state.withLock { state in
      state.count -= answered.count
      state.bytes -= answered.bytes
      state.isAwake = false
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

  /// Makes requests fail immediately with a failure. With `nil`, requests are accepted again.
  func refuse(_ failure: RedisError?) { state.withLock { $0.failure = failure } }
}
