/// The state of one forwarded read: the outcomes that the cache and the fetcher have reported so
/// far, and the pending deliveries.
///
/// The read holds its lock while it decides which answers to deliver, and in which order. Only one
/// thread at a time delivers answers, and that thread doesn't hold the lock.
final class ForwardedRead<Value: Sendable>: Sendable {
  typealias Outcome = Promise<Value>.Outcome
  typealias Continuation = AsyncThrowingStream<CacheUpdate<Value>, any Error>.Continuation

  /// A function that delivers an answer, removes the cached value, or ends the stream. It runs
  /// while the lock isn't held.
  private typealias Delivery = @Sendable (ForwardedRead) -> Void

  private struct State {
    var cached: Outcome?
    var fresh: Outcome?
    var isOver = false
    var interests: [Interest] = []
    var mail: [Delivery] = []
    var isDelivering = false
  }

  private let continuation: Continuation
  private let remove: @Sendable () -> Void
  private let isOver: @Sendable () -> Void
  private let state = Lock(State())

  /// - Parameters:
  ///   - remove: A closure that removes the cached value. It runs if the cache has a value, but the
  ///     fetcher reports that the key is absent.
  ///   - isOver: A closure that runs when the read has ended, possibly more than once.
  init(
    _ continuation: Continuation, remove: @escaping @Sendable () -> Void,
    isOver: @escaping @Sendable () -> Void
  ) {
    (self.continuation, self.remove, self.isOver) = (continuation, remove, isOver)
    continuation.onTermination = { _ in self.stop() }
  }

  /// Calls `body` with the outcome of a promise. When the read ends before the promise settles,
  /// `body` isn't called.
  func follow(_ promise: Promise<Value>, _ body: @escaping @Sendable (Outcome) -> Void) {
    guard let interest = promise.join(body) else { return }
    let isOver = state.withLock { state in
      if !state.isOver { state.interests.append(interest) }
      return state.isOver
    }
    if isOver { interest.withdraw() }
  }

  /// Receives the outcome of the cache's get, and delivers the cached value unless the read has
  /// already ended.
  func cached(_ outcome: Outcome) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.cached = outcome
      if let value = outcome.value { state.mail.append(Self.update(value, from: .cached)) }
      Self.endIfFailed(&state)
    }
    deliver()
  }

  /// Receives the outcome of the fetcher's get. Fresh values end the read. When the fetcher fails,
  /// the read still waits for the cache.
  func fresh(_ outcome: Outcome) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.fresh = outcome
      if let value = outcome.value {
        state.mail += [Self.update(value, from: .fresh), Self.end(nil)]
        state.isOver = true
      }
      Self.endIfFailed(&state)
    }
    deliver()
  }

  /// Ends the read, and stops waiting for the cache and the fetcher.
  private func stop() {
    let interests = state.withLock { state in
      defer { state.interests = [] }
      state.isOver = true
      return state.interests
    }
    for interest in interests { interest.withdraw() }
    isOver()
  }

  private func deliver() {
    let isMine = state.withLock { state in
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isMine else { return }
    while let delivery = state.withLock({ Self.next(&$0) }) { delivery(self) }
  }

  private static func update(_ value: Value, from source: UpdateSource) -> Delivery {
    { $0.continuation.yield(CacheUpdate(value, from: source)) }
  }

  private static func end(_ error: (any Error)?) -> Delivery {
    { read in
      read.continuation.finish(throwing: error)
      read.stop()
    }
  }

  /// Ends the read if the cache and the fetcher have both settled and there is no fresh value. When
  /// the cache and the fetcher both failed, the read ends with the error that `outranking` returns.
  private static func endIfFailed(_ state: inout State) {
    guard !state.isOver, let cached = state.cached, let fresh = state.fresh else { return }
    state.isOver = true
    if cached.value != nil, fresh.error?.isAbsence == true { state.mail.append { $0.remove() } }
    switch (cached, fresh) {
    case (_, .cancelled), (.cancelled, _): state.mail.append(end(CancellationError()))
    case (.failure(let upper), .failure(let lower)):
      state.mail.append(end(outranking(upper: upper, lower: lower)))
    default: state.mail.append(end(fresh.error))
    }
  }

  private static func next(_ state: inout State) -> Delivery? {
    if state.mail.isEmpty { state.isDelivering = false }
    return state.mail.isEmpty ? nil : state.mail.removeFirst()
  }
}
