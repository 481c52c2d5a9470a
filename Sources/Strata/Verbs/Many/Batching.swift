extension Fetcher {
  /// Creates a fetcher that combines the gets within a time window into one call of a bulk loader.
  ///
  /// Each get returns the value of its key. If the loader doesn't return the key, the get fails
  /// with ``CacheError/notFound``, and if the loader fails, all gets of the call fail with its
  /// error. A get that is cancelled before the call begins isn't part of the call. If all gets of a
  /// call are cancelled, the call is cancelled. A get that begins after a call has begun joins the
  /// next call, so a get never returns a value that was read before an earlier write.
  ///
  ///     let squares = Fetcher<Int, Int>.batching(window: .milliseconds(5), limit: 100) { numbers in
  ///       Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0 * $0) })
  ///     }
  ///     try await squares.get(1).zip(squares.get(2)).value  // (1, 4), in one call of [1, 2]
  ///
  /// - Parameters:
  ///   - window: The time for which the first get of a call waits for more gets. If zero or less,
  ///     the wait is as short as the clock allows.
  ///   - limit: The maximum number of gets in a call, at least one. A call with this number of gets
  ///     begins immediately. The default is no limit.
  ///   - clock: The clock that measures the window. The default is the system's clock.
  ///   - load: A closure that returns the values of some keys. Called in a separate task with at
  ///     least one key. The keys are in the order of the gets, without repetitions.
  /// - Complexity: O(1) for each get, amortized, and O(n log n) for each call.
  /// - Law: every get that isn't cancelled is part of one call. A call never has more than `limit`
  ///   keys, or the same key twice: `batching.answers`, `batching.calls`. See `BatchLaws`.
  public static func batching(
    window: Duration, limit: Int = .max, clock: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: Value]
  ) -> Fetcher {
    batching(window: window, limit: limit, clock: clock) { keys in
      Promise { try await load(keys).mapValues(Result.success) }
    }
  }

  /// Creates a fetcher from a bulk loader that returns a value or an error for each key.
  ///
  /// - Parameters:
  ///   - window: The time for which the first get of a call waits for more gets.
  ///   - limit: The maximum number of gets in a call, at least one. The default is no limit.
  ///   - clock: The clock that measures the window. The default is the system's clock.
  ///   - load: A closure that returns a value or an error for each key. If it doesn't return a key,
  ///     the get of that key fails with ``CacheError/notFound``.
  /// - Law: the same laws as for a loader of values. See `BatchLaws`.
  @_disfavoredOverload
  public static func batching(
    window: Duration, limit: Int = .max, clock: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: Result<Value, any Error>]
  ) -> Fetcher {
    batching(window: window, limit: limit, clock: clock) { keys in
      Promise { try await load(keys) }
    }
  }

  /// Creates a fetcher from a bulk loader that returns a promise of values.
  package static func batching(
    window: Duration, limit: Int = .max, clock: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) -> Promise<[Key: Value]>
  ) -> Fetcher {
    batching(window: window, limit: limit, clock: clock) { keys in
      load(keys).map { $0.mapValues(Result.success) }
    }
  }

  /// Creates a fetcher from a bulk loader that returns a promise. The loader is called on the
  /// clock's thread, or on the thread of the get that fills the call.
  @_disfavoredOverload
  package static func batching(
    window: Duration, limit: Int = .max, clock: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) -> Promise<[Key: Result<Value, any Error>]>
  ) -> Fetcher {
    let batches = Batches(window: window, limit: max(1, limit), clock: clock, load: load)
    // A write doesn't need to detach a load, because gets never join a call that has begun.
    return Fetcher(
      get: { batches.get($0) }, plan: .verb(.level("fetcher", .origin), .batching),
      clock: clock)
  }
}

/// The gets that wait for the next call of a bulk loader.
private final class Batches<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Answers = [Key: Result<Value, any Error>]

  private final class Waiter: Sendable {
    let key: Key
    let result = Pending<Value>()
    init(_ key: Key) { self.key = key }
  }

  private struct State {
    var batch = 0
    var waiters: [Waiter] = []  // The gets of the open batch.
    var cancelled = 0  // The number of cancelled gets in the open batch.
    var cancelTimer: (@Sendable () -> Void)?

    /// Ends the open batch and begins a new one. Returns the gets of the ended batch.
    mutating func close() -> Closed {
      defer {
        batch += 1
        (waiters, cancelled) = ([], 0)
      }
      return (waiters, cancelTimer.take())
    }
  }

  private typealias Closed = (waiters: [Waiter], cancelTimer: (@Sendable () -> Void)?)

  private let window: Duration
  private let limit: Int
  private let clock: TimeSource
  private let load: @Sendable ([Key]) -> Promise<Answers>
  private let state = Lock(State())

  init(
    window: Duration, limit: Int, clock: TimeSource,
    load: @escaping @Sendable ([Key]) -> Promise<Answers>
  ) {
    (self.window, self.limit, self.clock, self.load) = (window, limit, clock, load)
  }

  func get(_ key: Key) -> Promise<Value> {
    let waiter = Waiter(key)
    let (batch, isFirst, closed) = state.withLock { state in
      let (batch, isFirst) = (state.batch, state.waiters.count == state.cancelled)
      state.waiters.append(waiter)
      let isFull = state.waiters.count - state.cancelled >= limit
      return (batch, isFirst, isFull ? state.close() : nil)
    }
    waiter.result.stop(at: 1) { self.leave(batch) }
    if let closed { begin(closed) } else if isFirst { open(batch) }
    return waiter.result.outcome.map { Promise(outcome: $0) } ?? Promise(.pending(waiter.result))
  }

  /// Starts the timer of a batch. Cancels an earlier timer of the batch, which exists if all
  /// earlier gets of the batch were cancelled.
  private func open(_ batch: Int) {
    let cancelTimer = clock.after(window) { self.begin(batch) }
    let replaced = state.withLock { state in
      guard state.batch == batch else { return cancelTimer }
      defer { state.cancelTimer = cancelTimer }
      return state.cancelTimer ?? {}
    }
    replaced()
  }

  /// Counts a cancelled get of an open batch. If all gets of the batch are cancelled, ends the
  /// batch.
  private func leave(_ batch: Int) {
    let closed = state.withLock { state -> Closed? in
      guard state.batch == batch else { return nil }
      state.cancelled += 1
      return state.cancelled == state.waiters.count ? state.close() : nil
    }
    closed?.cancelTimer?()
  }

  /// Ends an open batch, and calls the loader.
  private func begin(_ batch: Int) {
    if let closed = state.withLock({ $0.batch == batch ? $0.close() : nil }) { begin(closed) }
  }

  private func begin(_ closed: Closed) {
    closed.cancelTimer?()
    call(for: closed.waiters.filter { $0.result.outcome == nil })
  }

  private func call(for waiters: [Waiter]) {
    var seen: Set<Key> = []
    let keys = waiters.map(\.key).filter { seen.insert($0).inserted }
    guard !keys.isEmpty else { return }
    let answers = load(keys)
    let own = answers.join { _ in }  // Keeps the call running until all gets have joined it.
    for waiter in waiters {
      let answer = answers.flatMap { answers in
        guard let answer = answers[waiter.key] else { throw CacheError.notFound }
        return Promise(try answer.get())
      }
      waiter.result.follow(answer, at: 2)
    }
    own?.withdraw()
  }
}

extension CachePlan.Kind {
  /// The kind of `batching`.
  package static let batching: Self = "batching"
}
