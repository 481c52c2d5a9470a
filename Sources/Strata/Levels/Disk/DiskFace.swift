import Foundation

/// How a value looks that a disk level takes and gives: as bytes alone, or with its age.
///
/// The level is written once, over a face: a face for values that carry birth and deadline keeps
/// them in the header of the record, so that what is past its deadline is a miss without a decoder
/// having seen it, and is not written again when its segment goes.
struct DiskFace<Value: Sendable>: Sendable {
  /// What a get answers for a record.
  let value: @Sendable (StoredValue) -> Value
  /// What a set writes into one.
  let draft: @Sendable (Value) -> DraftValue
  /// The clock by which a value that is read lives or not, in milliseconds since 1970; without one
  /// the log's own, the wall clock.
  let now: (@Sendable () -> Int64)?

  init(
    value: @escaping @Sendable (StoredValue) -> Value,
    draft: @escaping @Sendable (Value) -> DraftValue,
    now: (@Sendable () -> Int64)? = nil
  ) {
    (self.value, self.draft, self.now) = (value, draft, now)
  }
}

extension DiskFace<Data> {
  /// Bytes that are born when they are written, and live as long as there is room.
  static let bytes = DiskFace(value: { $0.value }, draft: { DraftValue(value: $0) })
}

/// A value to be written, in milliseconds since 1970; of no birth if that is now.
struct DraftValue: Equatable {
  var value: Data
  var born: Int64?
  var deadline: Int64 = .max
}

extension Cache where Key == String {
  /// Longer records are read on another thread: the hop is nothing beside the reading.
  private static var longestOnCaller: Int { 256 << 10 }

  /// A level over an engine; `later` runs what is read on another thread.
  static func disk(
    _ log: SegmentLog, face: DiskFace<Value>, plan: CachePlan, reporter: Reporter? = nil,
    later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
      SegmentLogs.queue.async(execute: work)
    }
  ) -> Cache {
    Cache(
      get: { key in
        switch log.answer(for: key, readingUpTo: longestOnCaller, at: face.now?()) {
        case .miss: .miss
        case .value(let stored): Promise(face.value(stored))
        case .long(let hit): reading(hit, of: log, face, later)
        }
      },
      set: { key, value in
        Promise(catching: {
          let draft = face.draft(value)
          let evicted = try log.set(
            draft.value, for: key, born: draft.born, deadline: draft.deadline)
          for _ in 0..<evicted {
            reporter?.report(
              .eviction, nil, since: nil, Promise<Void>.Outcome.success(()), cause: .capacity)
          }
        })
      },
      remove: { key in Promise(catching: { try log.remove(key) }) },
      clear: { Promise(catching: { try log.removeAll() }) },
      memoryWarning: {},
      spine: Spine(
        plan: plan,
        reporting: { disk(log, face: face, plan: plan, reporter: $0, later: later) }))
  }

  private static func reading(
    _ hit: SegmentLog.Hit, of log: SegmentLog, _ face: DiskFace<Value>,
    _ later: (@escaping @Sendable () -> Void) -> Void
  ) -> Promise<Value> {
    Promise { continuation in
      later {
        guard !continuation.isSettled else { return }
        continuation.settle(
          log.read(hit).map { .success(face.value($0)) } ?? .failure(CacheError.notFound))
      }
    }
  }
}
