extension Fetcher {
  /// Makes a fetcher of a bulk loader: the single gets of a moment become one call of it.
  ///
  /// Each get has an answer of its own: the value of its key, ``CacheError/notFound`` for a key
  /// that is not in the loader's answer, or the loader's failure. A get that is cancelled before
  /// the call is not in it; once all gets of a call are cancelled, the call is. Gets after a call
  /// has begun go into the next one, so that none answers what was read before a write.
  ///
  ///     let squares = Fetcher<Int, Int>.batching(window: .milliseconds(5), limit: 100) { numbers in
  ///       Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0 * $0) })
  ///     }
  ///     try await squares.get(1).zip(squares.get(2)).value  // (1, 4), in one call of [1, 2]
  ///
  /// - Parameters:
  ///   - window: How long the first get of a call waits for others; zero or less, as short as can
  ///     be.
  ///   - limit: How many gets a call stands for at most: with so many it begins at once. Less than
  ///     one counts as one.
  ///   - time: Where the time comes from.
  ///   - load: Called with the keys in the order in which they came, each once and at least one, in
  ///     a task of its own.
  /// - Complexity: O(1) for each get, amortised, and O(n log n) for each call.
  /// - Law: every get that is not cancelled is in one call and has its answer, and no call has more
  ///   than `limit` keys or one twice: `batching.answers`, `batching.calls`; see `BatchLaws`.
  public static func batching(
    window: Duration, limit: Int = .max, on time: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: Value]
  ) -> Fetcher {
    batching(window: window, limit: limit, on: time) { keys -> Promise<[Key: Value]> in
      Promise { try await load(keys) }
    }
  }

  /// Makes a fetcher of a bulk loader that answers with a promise.
  ///
  /// - Parameters:
  ///   - window: How long the first get of a call waits for others.
  ///   - limit: How many gets a call stands for at most; less than one counts as one.
  ///   - time: Where the time comes from.
  ///   - load: Called on the thread of the time source, or on that of the get that makes the call
  ///     full.
  /// - Law: as for an async loader.
  public static func batching(
    window: Duration, limit: Int = .max, on time: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) -> Promise<[Key: Value]>
  ) -> Fetcher {
    batching(window: window, limit: limit, on: time) { keys in
      load(keys).map { $0.mapValues(Result.success) }
    }
  }

  /// Makes a fetcher of a bulk loader that fails for each key by itself.
  ///
  /// - Parameters:
  ///   - window: How long the first get of a call waits for others.
  ///   - limit: How many gets a call stands for at most; less than one counts as one.
  ///   - time: Where the time comes from.
  ///   - load: Answers with a value or an error for each key; a key that is missing fails with
  ///     ``CacheError/notFound``.
  /// - Law: as for an async loader.
  @_disfavoredOverload
  public static func batching(
    window: Duration, limit: Int = .max, on time: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) async throws -> [Key: Result<Value, any Error>]
  ) -> Fetcher {
    batching(window: window, limit: limit, on: time) { keys in Promise { try await load(keys) } }
  }

  /// Makes a fetcher of a bulk loader that answers with a promise and fails for each key by itself.
  ///
  /// - Parameters:
  ///   - window: How long the first get of a call waits for others.
  ///   - limit: How many gets a call stands for at most; less than one counts as one.
  ///   - time: Where the time comes from.
  ///   - load: As for an async one that does.
  /// - Law: as for an async loader.
  @_disfavoredOverload
  public static func batching(
    window: Duration, limit: Int = .max, on time: TimeSource = .system,
    _ load: @escaping @Sendable ([Key]) -> Promise<[Key: Result<Value, any Error>]>
  ) -> Fetcher {
    let batches = Batches(window: window, limit: max(1, limit), time: time, load: load)
    // Nothing to forget: nobody joins a call that has begun, and what has not begun reads later.
    return Fetcher(get: { batches.get($0) }, plan: .verb(.level("fetcher"), name: "batching"))
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
    var waiters: [Int: Waiter] = [:]  // Of the open batch, by number; those who left are missing.
    var lastID = 0
    var callOff: (@Sendable () -> Void)?

    /// Ends the open batch and begins a new one; what was in it is the caller's.
    mutating func close() -> Closed {
      defer {
        batch += 1
        waiters = [:]
      }
      return (waiters, callOff.take())
    }
  }

  private typealias Closed = (waiters: [Int: Waiter], callOff: (@Sendable () -> Void)?)

  private let window: Duration
  private let limit: Int
  private let time: TimeSource
  private let load: @Sendable ([Key]) -> Promise<Answers>
  private let state = Lock(State())

  init(
    window: Duration, limit: Int, time: TimeSource,
    load: @escaping @Sendable ([Key]) -> Promise<Answers>
  ) {
    (self.window, self.limit, self.time, self.load) = (window, limit, time, load)
  }

  func get(_ key: Key) -> Promise<Value> {
    let waiter = Waiter(key)
    let (id, batch, isFirst, closed) = state.withLock { state in
      state.lastID += 1
      let (id, batch, isFirst) = (state.lastID, state.batch, state.waiters.isEmpty)
      state.waiters[id] = waiter
      return (id, batch, isFirst, state.waiters.count >= limit ? state.close() : nil)
    }
    waiter.result.stop(at: 1) { self.leave(id) }
    if let closed { begin(closed) } else if isFirst { open(batch) }
    return waiter.result.outcome.map { Promise(outcome: $0) } ?? Promise(.pending(waiter.result))
  }

  /// Sets the time at which a batch begins; once more if all who waited in it have left.
  private func open(_ batch: Int) {
    let callOff = time.after(window) { self.begin(batch) }
    let replaced = state.withLock { state in
      guard state.batch == batch else { return callOff }
      defer { state.callOff = callOff }
      return state.callOff ?? {}
    }
    replaced()
  }

  /// Takes a waiter out of the batch; it is let go of outside the lock.
  private func leave(_ id: Int) {
    let (_, callOff) = state.withLock { state in
      let waiter = state.waiters.removeValue(forKey: id)
      return (waiter, state.waiters.isEmpty ? state.callOff.take() : nil)
    }
    callOff?()
  }

  /// Closes a batch, if that has not been done, and calls the loader.
  private func begin(_ batch: Int) {
    if let closed = state.withLock({ $0.batch == batch ? $0.close() : nil }) { begin(closed) }
  }

  private func begin(_ closed: Closed) {
    closed.callOff?()
    let inOrder = closed.waiters.sorted { $0.key < $1.key }.map(\.value)
    call(for: inOrder.filter { $0.result.outcome == nil })
  }

  private func call(for waiters: [Waiter]) {
    var asked: Set<Key> = []
    let keys = waiters.map(\.key).filter { asked.insert($0).inserted }
    guard !keys.isEmpty else { return }
    let answers = load(keys)
    let own = answers.join { _ in }  // Until all have joined: the first to leave is not the last.
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
