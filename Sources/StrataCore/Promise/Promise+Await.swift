import Dispatch
import Synchronization

extension Promise {
  /// Suspends until the promise settles or the waiting task is cancelled.
  ///
  /// A task that has already been cancelled also adds an *interest*, which is a listener that keeps
  /// the work running. Its cancellation then withdraws the interest, so the work stops, unless
  /// another caller waits for the promise.
  @inlinable
  nonisolated(nonsending) static func awaited(_ pending: Pending<Value>) async throws -> Value {
    let waiter = Waiter(pending)
    let (id, settled) = pending.listen(isInterest: true, .resume(waiter))
    if let settled { return try settled.get() }
    try await waiter.wait(withInterest: id)
    guard let outcome = pending.outcome else { throw CacheError.abandoned }
    return try outcome.get()
  }

  /// Blocks the current thread until the promise settles. Use this function only in scripts and
  /// tests.
  ///
  /// Before it blocks, this function runs the queued callbacks of the current thread. In async
  /// functions, use ``value`` instead: there are few threads for tasks, and a blocked one delays
  /// other tasks.
  ///
  ///     let page = try pages.get(url).wait(for: .seconds(10))
  ///
  /// - Parameter limit: The maximum time to wait. By default, there is no limit.
  /// - Throws: The error of a failure, or `CancellationError` for a cancellation. When the promise
  ///   doesn't settle within `limit`, this function throws
  ///   ``CacheError/timedOut(stage:after:key:)``. Then the work stops, unless another caller needs
  ///   it.
  @available(*, noasync, message: "write try await promise.value")
  public func wait(for limit: Duration? = nil) throws -> Value {
    Trampoline.drain()
    if let outcome { return try outcome.get() }
    let settled = DispatchSemaphore(value: 0)
    let interest = join { _ in settled.signal() }
    let deadline = limit.map { .now() + $0.dispatchInterval } ?? DispatchTime.distantFuture
    let isLate = settled.wait(timeout: deadline) == .timedOut
    if isLate, outcome == nil {
      interest?.withdraw()
      throw CacheError.timedOut(after: limit)
    }
    return try outcome?.get() ?? { throw CacheError.abandoned }()
  }
}

/// A task that waits for a promise. Either the promise or the task's cancellation resumes it,
/// exactly once.
///
/// Because the waiter doesn't carry the value, its code isn't generic and doesn't look up type
/// metadata.
@usableFromInline
final class Waiter: Sendable {
  private typealias Task = UnsafeContinuation<Void, any Error>

  private enum Word {
    static let none: UInt = 0
    static let resumed: UInt = 1
    static let cancelled: UInt = 2
  }

  private let pending: any AnyPending
  /// One of the constants in `Word`, or the bits of the suspended task.
  private let state = Atomic<UInt>(Word.none)

  @usableFromInline
  init(_ pending: any AnyPending) { self.pending = pending }

  /// Suspends until `resume()` is called or the task is cancelled. A cancellation withdraws the
  /// task's interest in the promise.
  @usableFromInline
  nonisolated(nonsending) func wait(withInterest id: Int) async throws {
    // `end(_:)` resumes the task only once. A checked continuation would check this a second time,
    // and would allocate memory.
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { begin($0) }
    } onCancel: {
      pending.withdraw(id)
      end(Word.cancelled)
    }
  }

  /// Resumes the task after the promise has settled.
  @usableFromInline
  func resume() { end(Word.resumed) }

  private func begin(_ task: Task) {
    let (isStored, word) = state.compareExchange(
      expected: Word.none, desired: unsafeBitCast(task, to: UInt.self),
      ordering: .acquiringAndReleasing)
    if !isStored { Self.resume(task, word) }
  }

  private func end(_ word: UInt) {
    var known = state.load(ordering: .acquiring)
    while known != Word.resumed, known != Word.cancelled {
      let (isStored, now) = state.compareExchange(
        expected: known, desired: word, ordering: .acquiringAndReleasing)
      if isStored {
        if known != Word.none { Self.resume(unsafeBitCast(known, to: Task.self), word) }
        return
      }
      known = now
    }
  }

  private static func resume(_ task: Task, _ word: UInt) {
    if word == Word.cancelled { task.resume(throwing: CancellationError()) } else { task.resume() }
  }
}
