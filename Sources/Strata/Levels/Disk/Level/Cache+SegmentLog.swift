import Foundation

extension Cache where Key == String {
  /// A level over a log.
  ///
  /// While a long write of a key is in progress, later operations of the key wait for it.
  ///
  /// - Parameters:
  ///   - longest: Longer values are written on another thread. Writing the default length takes as
  ///     long as beginning a segment.
  ///   - other: Runs work on another thread, instead of the log's queues.
  @inline(never)
  static func disk(
    _ log: SegmentLog, format: DiskValueFormat<Value>, plan: CachePlan, reporter: Reporter? = nil,
    writingUpTo longest: Int = 1 << 20, later other: SegmentLog.Later? = nil
  ) -> Cache {
    Cache(
      get: { log.get($0, at: format.now?(), later: other).map(format.value) },
      set: { key, value in
        guard let record = format.record(value, log.files.now()) else {
          return log.inOrder(key) { try log.remove(key) }
        }
        return log.set(key, record, reporter, writingUpTo: longest, later: other)
      },
      remove: { key in log.inOrder(key) { try log.remove(key) } },
      clear: { log.inOrder(nil) { try log.removeAll() } },
      memoryWarning: {},
      metadata: CacheMetadata(
        plan: plan,
        reporting: {
          disk(log, format: format, plan: plan, reporter: $0, writingUpTo: longest, later: other)
        }))
  }
}

/// The operations of a level, in the order of their calls.
extension SegmentLog {
  /// Runs work that takes longer than a caller should wait.
  typealias Later = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Longer records are read on another thread. The hop takes little time beside the read.
  private static let longestReadOnCaller = 256 << 10

  fileprivate func get(
    _ key: String, at time: Int64?, later: Later?
  ) -> Promise<StoredValue> {
    // A closure would allocate.
    if order.isQuiet { return getNow(key, at: time, later: later) }
    return order.read(OperationOrder.hash(key)) { [self] in
      getNow(key, at: time, later: later)
    }
  }

  private func getNow(_ key: String, at time: Int64?, later: Later?) -> Promise<StoredValue> {
    CanonicalKey.withBytes(of: key) { key in
      guard let found = find(key, at: time) else { return .miss }
      guard found.entry.length > SegmentLog.longestReadOnCaller else {
        return read(found, of: key).map { Promise($0) } ?? .miss
      }
      return readLater(found, of: Array(key), later ?? { SegmentLogs.queue.async(execute: $0) })
    }
  }

  private func readLater(
    _ found: Found, of key: [UInt8], _ later: Later
  ) -> Promise<StoredValue> {
    Promise { continuation in
      later { [self] in
        guard !continuation.isSettled else { return }
        let value = key.withUnsafeBytes { read(found, of: $0) }
        continuation.settle(value.map { .success($0) } ?? .failure(CacheError.notFound))
      }
    }
  }

  /// Writes a value, and reports the evictions since the last set.
  fileprivate func set(
    _ key: String, _ record: StoredValue, _ reporter: Reporter?, writingUpTo longest: Int,
    later: Later?
  ) -> Promise<Void> {
    if order.isQuiet, record.value.count <= longest {
      do { try setNow(key, record, reporter) } catch { return Promise(error: error) }
      return Promise()
    }
    let write = { @Sendable [self] in try setNow(key, record, reporter) }
    guard record.value.count > longest else { return inOrder(key, write) }
    let later = later ?? { [writes] in writes.async(execute: $0) }
    return order.write(OperationOrder.hash(key), beginning: { Self.beginning(write, later) })
  }

  private func setNow(_ key: String, _ record: StoredValue, _ reporter: Reporter?) throws {
    let evicted = try set(
      record.value, for: key, created: record.created, deadline: record.deadline)
    for _ in 0..<evicted {
      reporter?.report(
        .eviction, nil, since: nil, Promise<Void>.Outcome.success(()), cause: .capacity)
    }
  }

  /// Runs a short write now, or after the long writes of its key that were called before it.
  fileprivate func inOrder(
    _ key: String?, _ write: @escaping @Sendable () throws -> Void
  ) -> Promise<Void> {
    guard !order.isQuiet else { return Promise(catching: write) }
    return order.write(key.map(OperationOrder.hash)) { Promise(catching: write) }
  }

  /// Begins a write on another thread. A write that is cancelled before it starts does nothing. The
  /// next write of the key waits for its end, even if no caller does.
  private static func beginning(
    _ write: @escaping @Sendable () throws -> Void, _ later: Later
  ) -> OperationOrder.Begun {
    let end = Pending<Void>()
    let answer = Promise<Void> { continuation in
      later {
        defer { end.settle(.success(())) }
        guard !continuation.isSettled else { return }
        do {
          try write()
          continuation.succeed()
        } catch {
          continuation.fail(error)
        }
      }
    }
    return (answer, end.promise)
  }
}
