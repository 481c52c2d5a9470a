extension KeyedQueue {
  /// The promise of a write that has begun, and a promise that settles when the next write may
  /// begin.
  package typealias Begun = (answer: Promise<Void>, end: Promise<Void>)

  /// Runs a get after the earlier writes to its key have ended.
  @usableFromInline
  package func read<Value>(
    _ hash: Int, _ work: @escaping @Sendable () -> Promise<Value>
  ) -> Promise<Value> {
    earlierWrites(of: hash)?.flatMap(work) ?? work()
  }

  /// Runs a get after the earlier writes to its key have ended. As long as the queue is empty, this
  /// costs one atomic load.
  @inlinable
  @inline(__always)
  package func read<Key: Hashable & Sendable, Value>(
    _ key: Key, _ get: @escaping @Sendable (Key) -> Promise<Value>
  ) -> Promise<Value> {
    isQuiet ? get(key) : readLate(key, get)
  }

  /// Calls `read`, for a verb that returns the answer unchanged. It isn't inlined, for the reason in
  /// `HitGet.swift`.
  @inlinable
  @inline(never)
  package func readUnchanged<Key: Hashable & Sendable, Value>(
    _ key: Key, _ get: @escaping @Sendable (Key) -> Promise<Value>
  ) -> Promise<Value> {
    read(key, get)
  }

  @usableFromInline
  func readLate<Key: Hashable & Sendable, Value>(
    _ key: Key, _ get: @escaping @Sendable (Key) -> Promise<Value>
  ) -> Promise<Value> {
    read(KeyVersions.hash(key)) { get(key) }
  }

  /// Runs a write after the earlier writes to its key have settled.
  ///
  /// A write that is cancelled while it waits never begins, and its work is released immediately.
  package func write(_ hash: Int?, _ work: @escaping @Sendable () -> Promise<Void>) -> Promise<Void>
  {
    write(
      hash,
      beginning: {
        let write = work()
        return (write, write)
      })
  }

  /// Runs a write in a task after the earlier writes to its key have ended.
  ///
  /// A cancelled write settles immediately. But its task may still be writing, so the next write
  /// waits until this task has ended.
  package func write(
    _ hash: Int?, task work: @escaping @Sendable () async throws -> Void
  ) -> Promise<Void> {
    write(
      hash,
      beginning: {
        let end = Pending<Void>()
        return (Promise(running: work) { end.settle(.success(())) }, Promise(.pending(end)))
      })
  }

  /// Runs a write with the value that `prepared` provides. The write begins immediately if the
  /// value is ready and no write is in flight.
  package func write<Prepared>(
    _ hash: Int?, preparing prepared: Promise<Prepared>,
    _ work: @escaping @Sendable (Prepared) -> Promise<Void>
  ) -> Promise<Void> {
    var ready = prepared
    ready.storeOutcome()
    // If `isReady` is `true`, `flatMap` calls `work` immediately. Otherwise, a promise that has
    // just settled may still be calling other listeners, and `flatMap` would call `work` only after
    // them.
    if ready.isReady, isQuiet { return ready.flatMap(work) }
    let preparation = prepared.join { _ in }
    return write(hash, beginning: { Self.begin(prepared, work) }).onCancel {
      preparation?.withdraw()
    }
  }

  /// Runs a write. The returned promise settles with the write's `answer`, and the next write to
  /// the key begins when the write's `end` settles.
  @inline(never)
  package func write(
    _ hash: Int?, beginning work: @escaping @Sendable () -> Begun
  ) -> Promise<Void> {
    write(hash, numbered: { _ in work() })
  }

  /// Runs a write, and passes its number in the queue to `work`.
  package func write(
    _ hash: Int?, isFill: Bool = false, numbered work: @escaping @Sendable (_ id: Int) -> Begun
  ) -> Promise<Void> {
    if let stage, isFull(hash) {
      return Promise(error: CacheError.overloaded(stage: stage, waiting: Self.mostWrites))
    }
    let result = Pending<Void>()
    let (id, mayBegin) = add(hash, isFill: isFill) { id in { self.begin(id, result, work) } }
    if mayBegin {
      begin(id, result, work)
    } else {
      result.onCancel { self.drop(id) }
    }
    return result.promise
  }

  @inline(never)
  private func begin(_ id: Int, _ result: Pending<Void>, _ work: @Sendable (Int) -> Begun) {
    let begun: Begun = result.outcome == nil ? work(id) : (Promise(), Promise())
    result.follow(begun.answer)
    begun.end.observed { _ in self.end(id) }
  }

  /// Passes the prepared value to the write, unless the write is cancelled first.
  ///
  /// When a cancelled write has already called the level, the next write still waits until this
  /// call has ended.
  private static func begin<Prepared>(
    _ prepared: Promise<Prepared>, _ work: @escaping @Sendable (Prepared) -> Promise<Void>
  ) -> Begun {
    let (end, isDecided) = (Pending<Void>(), Lock(false))
    let isFirst: @Sendable () -> Bool = {
      isDecided.withLock { isDecided in
        defer { isDecided = true }
        return !isDecided
      }
    }
    let answer = prepared.flatMap { prepared -> Promise<Void> in
      guard isFirst() else { return .cancelled }
      return work(prepared).observed { _ in end.settle(.success(())) }
    }
    answer.observed { _ in if isFirst() { end.settle(.success(())) } }
    return (answer, Promise(.pending(end)))
  }
}
