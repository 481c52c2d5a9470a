import Dispatch
import Foundation

extension Cache where Key == String {
  /// Returns a level that stores values in a log. While a write to a key runs on another thread,
  /// later operations on the key wait. The plan states whether the main thread may access files.
  ///
  /// - Parameters:
  ///   - longest: The maximum length in bytes of a value that the caller's thread writes. The
  ///     default is 1 MiB, because such a write takes about as long as the creation of a segment.
  ///   - later: A closure that runs work on another thread. The default uses dispatch queues.
  @inline(never)
  static func disk(
    _ log: SegmentLog, format: DiskValueFormat<Value>, plan: CachePlan, reporter: Reporter? = nil,
    writingUpTo longest: Int = 1 << 20, later: Worker? = nil, work: RunningWork? = nil
  ) -> Cache {
    let work =
      work
      ?? RunningWork(.stores, plan.stage) {
        log.close()
        return Promise()
      }
    let threads = SegmentLog.Threads(
      longestWrite: longest, isOffMainThread: plan.node.isOffMainThread,
      read: later ?? DispatchQueue.work.worker, write: later ?? log.writes.worker)
    return Cache(
      get: { key in work.run { log.get(key, format, reporter, threads) } },
      set: { key, value in
        work.run {
          guard let record = format.record(value, log.files.now()) else {
            return log.inOrder(key, threads) { try log.remove(key) }
          }
          return log.set(key, record, reporter, threads)
        }
      },
      remove: { key in work.run { log.inOrder(key, threads) { try log.remove(key) } } },
      clear: { work.run { log.inOrder(nil, threads) { try log.removeAll() } } },
      memoryWarning: {},
      metadata: CacheMetadata(
        plan: plan,
        rebuilding: { change in
          guard case .reporting(let reporter) = change else { return nil }
          return disk(
            log, format: format, plan: plan, reporter: reporter, writingUpTo: longest, later: later,
            work: work)
        }, source: CacheSource(storage: log),
        works: { works in
          for work in [work, log.queue.work, log.work] { works.add(work) }
          works.add(plan.stage, level: work) { log.gauges }
        }
      ).peeking { key in
        work.run { log.get(key, format, reporter, threads, counts: false) }
      })
  }
}

// The operations on each key run in the order in which they were called.
extension SegmentLog {
  /// The threads on which a level runs its operations.
  fileprivate struct Threads: Sendable {
    let longestWrite: Int
    let isOffMainThread: Bool
    /// Closures that run reads and writes on other threads.
    let read, write: Worker

    /// Whether an operation must move from its caller's thread to another thread.
    func mustLeave(writing bytes: Int = 0) -> Bool {
      bytes > longestWrite || isOffMainThread && MainThread.isCurrent
    }
  }

  /// The maximum length in bytes of a record that the caller's thread reads. A read of a longer
  /// record takes much more time than a switch to another thread.
  private static let longestReadOnCaller = 256 << 10

  fileprivate func get<Value>(
    _ key: String, _ format: DiskValueFormat<Value>, _ reporter: Reporter?, _ threads: Threads,
    counts: Bool = true
  ) -> Promise<Value> {
    // Avoids a closure in the common case, because that would allocate memory.
    if queue.isQuiet, !threads.mustLeave() {
      return getNow(key, format, reporter, threads, counts)
    }
    return queue.read(KeyVersions.hash(key)) { [self] in
      let get = { @Sendable in self.getNow(key, format, reporter, threads, counts) }
      return threads.mustLeave() ? .begun(threads.read, get) : get()
    }
  }

  private func getNow<Value>(
    _ key: String, _ format: DiskValueFormat<Value>, _ reporter: Reporter?, _ threads: Threads,
    _ counts: Bool
  ) -> Promise<Value> {
    CanonicalKey.withBytes(of: key) { key in
      guard let found = find(key, at: format.now?(), counts: counts) else {
        if let failure = newFailure { report(failure, to: reporter) }
        return .miss
      }
      guard found.entry.length > SegmentLog.longestReadOnCaller else {
        return format.answer(read(found, of: key, counts: counts))
      }
      let key = Array(key)
      return .begun(threads.read) { [self] in
        format.answer(key.withUnsafeBytes { read(found, of: $0, counts: counts) })
      }
    }
  }

  /// Reports why each get misses: to the observer or, if there is none, on standard error.
  private func report(_ failure: DiskError, to reporter: Reporter?) {
    guard let reporter else { return Notice().write("each get is a miss, because \(failure)") }
    reporter.report(.unusable, nil, since: nil, Promise<Void>.Outcome.failure(failure))
  }

  /// Writes a value, and reports the evictions since the last `set`.
  fileprivate func set(
    _ key: String, _ record: StoredValue, _ reporter: Reporter?, _ threads: Threads
  ) -> Promise<Void> {
    if queue.isQuiet, !threads.mustLeave(writing: record.value.count) {
      do { try setNow(key, record, reporter) } catch { return Promise(error: error) }
      return Promise()
    }
    return inOrder(key, threads, writing: record.value.count) { [self] in
      try setNow(key, record, reporter)
    }
  }

  private func setNow(_ key: String, _ record: StoredValue, _ reporter: Reporter?) throws {
    let evicted = try set(
      record.value, for: key, created: record.created, deadline: record.deadline)
    for _ in 0..<evicted {
      reporter?.report(
        .eviction, nil, since: nil, Promise<Void>.Outcome.success(()), cause: .capacity)
    }
  }

  /// Runs a write after the earlier writes to its key. Even if this write is cancelled, the next
  /// write to the key waits until this one has ended.
  fileprivate func inOrder(
    _ key: String?, _ threads: Threads, writing bytes: Int = 0,
    _ write: @escaping @Sendable () throws -> Void
  ) -> Promise<Void> {
    if queue.isQuiet, !threads.mustLeave(writing: bytes) { return Promise(catching: write) }
    return queue.write(
      key.map(KeyVersions.hash),
      beginning: {
        let write = { @Sendable in Promise(catching: write) }
        guard threads.mustLeave(writing: bytes) else {
          let answer = write()
          return (answer, answer)
        }
        return KeyedQueue.begun(threads.write, write)
      })
  }
}
