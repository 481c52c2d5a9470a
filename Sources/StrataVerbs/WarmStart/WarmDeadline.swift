import Foundation

/// The end of the time that a save or a load may take.
struct WarmDeadline: Sendable {
  /// The error of an operation that didn't end in time.
  struct Passed: Error {}

  private let start: TimeSource.Instant
  private let limit: Duration
  private let clock: TimeSource

  init(after limit: Duration, clock: TimeSource) {
    // No sum or product of the limit may overflow.
    (start, self.limit, self.clock) = (clock.now(), min(limit, .seconds(Int64.max >> 8)), clock)
  }

  /// Whether less than a tenth of the time is left. A save stops collecting then, so the last page
  /// and the index can still be written.
  var isNear: Bool { start.duration(to: clock.now()) >= limit * 9 / 10 }

  var isPassed: Bool { start.duration(to: clock.now()) >= limit }

  /// Returns the value of a promise. Throws `Passed` if it doesn't settle in time.
  nonisolated(nonsending) func value<Value>(of promise: Promise<Value>) async throws -> Value {
    let left = limit - start.duration(to: clock.now())
    return try await promise.timeout(after: left, clock: clock) { Passed() }.value
  }

  /// Returns what a codec makes of a value, or `nil` if the codec fails or doesn't end in time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  nonisolated(nonsending) func converted<Value>(_ promise: Promise<Value>) async throws -> Value? {
    do { return try await value(of: promise) } catch {
      try Task.checkCancellation()
      return nil
    }
  }

  /// Returns the value of a get, or `nil` for a miss. Throws `Passed` if it doesn't settle in time.
  nonisolated(nonsending) func found(_ promise: Promise<Data>) async throws -> Data? {
    do { return try await value(of: promise) } catch  where error.isMiss { return nil }
  }
}
