import Foundation

extension Cache where Key == String {
  /// Runs what takes longer than a caller should wait.
  typealias Later = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Longer records are read on another thread: the hop is nothing beside the reading.
  private static var longestReadOnCaller: Int { 256 << 10 }

  /// A level over an engine; `later` runs what is read or written on another thread.
  ///
  /// While a long value is on its way, what is asked of its key has to wait its turn.
  ///
  /// - Parameter longest: Longer values are written on another thread; the default is where the
  ///   write takes as long as beginning a segment.
  static func disk(
    _ log: SegmentLog, face: DiskFace<Value>, plan: CachePlan, reporter: Reporter? = nil,
    writingUpTo longest: Int = 1 << 20,
    later other: Later? = nil
  ) -> Cache {
    let (readLater, writeLater): (Later, Later) = (
      other ?? { work in SegmentLogs.queue.async(execute: work) },
      other ?? { work in log.writes.async(execute: work) }
    )
    return Cache(
      get: { key in
        log.order.isQuiet
          ? reading(key, of: log, face, readLater)
          : log.order.read(key) { reading(key, of: log, face, readLater) }
      },
      set: { key, value in
        let draft = face.draft(value)
        let isShort = draft.value.count <= longest
        return isShort && log.order.isQuiet
          ? Promise(catching: { try log.set(draft, for: key, reporter) })
          : writing(draft, key, to: log, reporter, isShort ? nil : writeLater)
      },
      remove: { key in
        log.order.isQuiet
          ? Promise(catching: { try log.remove(key) })
          : log.order.write(key) { Promise(catching: { try log.remove(key) }) }
      },
      clear: {
        log.order.isQuiet
          ? Promise(catching: { try log.removeAll() })
          : log.order.write(nil) { Promise(catching: { try log.removeAll() }) }
      },
      memoryWarning: {},
      spine: Spine(
        plan: plan,
        reporting: {
          disk(log, face: face, plan: plan, reporter: $0, writingUpTo: longest, later: other)
        }))
  }

  private static func reading(
    _ key: String, of log: SegmentLog, _ face: DiskFace<Value>, _ later: Later
  ) -> Promise<Value> {
    switch log.answer(for: key, readingUpTo: longestReadOnCaller, at: face.now?()) {
    case .miss: .miss
    case .value(let stored): Promise(face.value(stored))
    case .long(let hit):
      Promise { continuation in
        later {
          guard !continuation.isSettled else { return }
          continuation.settle(
            log.read(hit).map { .success(face.value($0)) } ?? .failure(CacheError.notFound))
        }
      }
    }
  }

  /// A write in its turn: on another thread if it is long, and else because one such is on its way.
  private static func writing(
    _ draft: DraftValue, _ key: String, to log: SegmentLog, _ reporter: Reporter?,
    _ later: Later?
  ) -> Promise<Void> {
    let write: @Sendable () throws -> Void = { try log.set(draft, for: key, reporter) }
    return later.map { later in log.order.write(key, beginning: { beginning(write, later) }) }
      ?? log.order.write(key) { Promise(catching: write) }
  }

  /// Begins a write on another thread; one that is cancelled in time writes nothing, and the next
  /// of its key waits until it is over, whoever waits for it.
  private static func beginning(
    _ write: @escaping @Sendable () throws -> Void, _ later: Later
  ) -> KeyOrder<String>.Begun {
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

extension SegmentLog {
  /// Writes a value, and reports how many went for it.
  fileprivate func set(_ draft: DraftValue, for key: String, _ reporter: Reporter?) throws {
    let evicted = try set(draft.value, for: key, born: draft.born, deadline: draft.deadline)
    for _ in 0..<evicted {
      reporter?.report(
        .eviction, nil, since: nil, Promise<Void>.Outcome.success(()), cause: .capacity)
    }
  }
}
