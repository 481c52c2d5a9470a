extension Cache {
  /// Creates a fetcher that combines the gets made within a time window into one call to a bulk
  /// loader.
  ///
  /// Each get returns the value of its key. When the loader returns no value for a key, the gets of
  /// that key fail with ``CacheError/notFound``. When a call of the loader fails, all its gets fail
  /// with the same error. While the loader runs, new gets wait for the next call. Therefore a get
  /// that begins after a write to the origin never returns a value from before the write.
  ///
  /// Gets that are cancelled before the call aren't part of it. When all gets of a running call are
  /// cancelled, the call is cancelled as well. If its function ignores the cancellation,
  /// ``drained(atMost:)`` and ``close(atMost:)`` wait for it.
  ///
  ///     let squares = Fetcher<Int, Int>.bulkLoading(window: .milliseconds(5), limit: 100) { numbers in
  ///       Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0 * $0) })
  ///     }
  ///     try await Promise.all([squares.get(1), squares.get(2)]).value  // [1, 4], in one call
  ///
  /// - Parameters:
  ///   - window: The time for which a batch waits for more gets after its first one. Zero or less
  ///     makes the wait as short as the clock allows.
  ///   - limit: The maximum number of gets in one call of the loader. When so many gets are
  ///     waiting, the fetcher calls the loader immediately. Limits below one count as one. By
  ///     default, there is no limit.
  ///   - clock: The clock that measures the window. The default is the system's clock.
  ///   - load: A closure that returns the values of the given keys. It runs in a separate task, and
  ///     receives at least one key. The keys are in the order of the gets, without duplicates.
  /// - Complexity: O(1) for each get, amortized, and O(n log n) for each call of the loader with n
  ///   gets.
  /// - Law: Every get that isn't cancelled is part of exactly one call of the loader. No call has
  ///   more than `limit` keys, or the same key twice. See `batching.answers` and `batching.calls`,
  ///   checked by `BatchLaws`.
  public static func bulkLoading(
    window: Duration, limit: Int = .max, clock: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: Value]
  ) -> Cache {
    bulkLoading(window: window, limit: limit, clock: clock) { keys in
      Promise { try await load(keys).mapValues(Result.success) }
    }
  }

  /// Creates a fetcher from a bulk loader that returns a value or an error for each key.
  ///
  /// - Parameters:
  ///   - window: The time for which a batch waits for more gets after its first one.
  ///   - limit: The maximum number of gets in one call of the loader. Limits below one count as
  ///     one. By default, there is no limit.
  ///   - clock: The clock that measures the window. The default is the system's clock.
  ///   - load: A closure that returns a value or an error for each key. If the result omits a key,
  ///     the gets of this key fail with ``CacheError/notFound``.
  /// - Law: Every get that isn't cancelled is part of exactly one call of the loader. See
  ///   `BatchLaws`.
  @_disfavoredOverload
  public static func bulkLoading(
    window: Duration, limit: Int = .max, clock: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: Result<Value, any Error>]
  ) -> Cache {
    bulkLoading(window: window, limit: limit, clock: clock) { keys in
      Promise { try await load(keys) }
    }
  }

  /// Creates a fetcher from a bulk loader that returns a promise of values.
  package static func bulkLoading(
    window: Duration, limit: Int = .max, clock: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) -> Promise<[Key: Value]>
  ) -> Cache {
    bulkLoading(window: window, limit: limit, clock: clock) { keys in
      load(keys).map { $0.mapValues(Result.success) }
    }
  }

  /// Creates a fetcher from a bulk loader that returns a promise. At the end of the window, the
  /// loader is called on the clock's thread. When the number of waiting gets reaches the limit
  /// before that, the loader is called on the thread of the last get.
  @_disfavoredOverload
  package static func bulkLoading(
    window: Duration, limit: Int = .max, clock: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) -> Promise<[Key: Result<Value, any Error>]>
  ) -> Cache {
    let batches = Batches(window: window, limit: max(1, limit), clock: clock, load: load)
    // The fetcher can ignore writes. Gets never join a call of the loader that has already begun.
    // So a get after a write never returns a value that was loaded before the write.
    return Fetcher(
      get: { batches.get($0) }, plan: .verb(.level("fetcher", .origin), .bulkLoading),
      clock: clock)
  }
}

/// The gets that wait for the next call to a bulk loader.
private final class Batches<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Answers = [Key: Result<Value, any Error>]

  private final class Waiter: Sendable {
    let key: Key
    let result = Pending<Value>()
    /// Ends when the tasks of the call have ended. See `BegunTasks`.
    let share = BegunTasks.share()
    init(_ key: Key) { self.key = key }
  }

  private struct State {
    var batch = 0
    var waiters: [Waiter] = []  // The gets of the open batch.
    var cancelled = 0  // The number of cancelled gets in the open batch.
    var cancelTimer: (@Sendable () -> Void)?

    /// Closes the open batch and opens a new batch. Returns the gets of the closed batch, and the
    /// function that cancels the batch's timer.
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
    waiter.result.onCancel { [share = waiter.share] in
      if self.leave(batch) { share?.end() }
    }
    if let closed { begin(closed) } else if isFirst { open(batch) }
    return waiter.result.outcome.map { Promise(outcome: $0) } ?? Promise(.pending(waiter.result))
  }

  /// Starts the timer of a batch, and cancels the batch's previous timer if there is one.
  private func open(_ batch: Int) {
    let cancelTimer = clock.after(window) { self.begin(batch) }
    let replaced = state.withLock { state in
      guard state.batch == batch else { return cancelTimer }
      defer { state.cancelTimer = cancelTimer }
      return state.cancelTimer ?? {}
    }
    replaced()
  }

  /// Records that a get of an open batch has been cancelled. Closes the batch if all of its gets
  /// are cancelled.
  ///
  /// - Returns: Whether the batch was open, so the get isn't part of a call.
  private func leave(_ batch: Int) -> Bool {
    let (isOpen, closed) = state.withLock { state -> (Bool, Closed?) in
      guard state.batch == batch else { return (false, nil) }
      state.cancelled += 1
      return (true, state.cancelled == state.waiters.count ? state.close() : nil)
    }
    closed?.cancelTimer?()
    return isOpen
  }

  /// Closes an open batch, and calls the loader with the keys of its gets.
  private func begin(_ batch: Int) {
    if let closed = state.withLock({ $0.batch == batch ? $0.close() : nil }) { begin(closed) }
  }

  private func begin(_ closed: Closed) {
    closed.cancelTimer?()
    call(for: closed.waiters.filter { $0.result.outcome == nil })
  }

  /// Calls the loader once, or several times if a dictionary can't tell some of the keys apart (see
  /// `RequestKey`). Different keys that are equal in a dictionary are then parts of different
  /// calls.
  private func call(for waiters: [Waiter]) {
    guard KeyHash.isRequest(Key.self) else {
      if !waiters.isEmpty { load(for: waiters) }
      return
    }
    var groups: [[Waiter]] = []
    var (counts, known): ([Key: Int], [SameKey<Key>: Int]) = ([:], [:])
    for waiter in waiters {
      let same = KeyHash.isReusable(waiter.key) ? SameKey(waiter.key) : nil
      if let same, let group = known[same] {
        groups[group].append(waiter)
        continue
      }
      let group = counts[waiter.key, default: 0]
      counts[waiter.key] = group + 1
      if let same { known[same] = group }
      if group == groups.count { groups.append([]) }
      groups[group].append(waiter)
    }
    for group in groups { load(for: group) }
  }

  private func load(for waiters: [Waiter]) {
    var seen: Set<Key> = []
    let keys = waiters.map(\.key).filter { seen.insert($0).inserted }
    let (answers, tasks) = BegunTasks.collect(isPart: false) { load(keys) }
    let shares = waiters.compactMap(\.share)
    if let tasks {
      tasks.whenEnded(answers) { for share in shares { share.end() } }
    } else {
      for share in shares { share.end() }
    }
    let own = answers.join { _ in }  // Keeps the call running until all gets have joined it.
    for waiter in waiters {
      let answer = answers.flatMap { answers in
        guard let answer = answers[waiter.key] else { throw CacheError.notFound }
        return Promise(try answer.get())
      }
      waiter.result.follow(answer)
    }
    own?.withdraw()
  }
}

/// A reusable key that is equal only to the same key, whatever the `==` of its type returns.
private struct SameKey<Key: Hashable>: Hashable {
  let key: Key
  let hash: UInt64

  init(_ key: Key) { (self.key, hash) = (key, KeyHash.ofProcess(key)) }

  static func == (one: Self, other: Self) -> Bool { KeyHash.areSame(one.key, other.key) }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension CachePlan.Kind {
  /// The kind of `bulkLoading`.
  package static let bulkLoading: Self = "bulkLoading"
}
