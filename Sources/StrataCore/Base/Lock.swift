import Foundation

/// A mutex together with the state that it protects. Almost all locks in the library have this
/// type.
///
/// The state and the mutex share one allocation, and there's no exclusivity check. Strata doesn't
/// use `Synchronization.Mutex`, because on Linux, ThreadSanitizer reports a race in every use of
/// that type. It's also slow if there are more threads than cores.
///
/// User code must not run inside `withLock`. User code includes the user's closures,
/// implementations of `==` and `hash(into:)`, and the `deinit` of a value. To call a user's closure
/// or to release a user's value, first return the closure or the value from `withLock`. The result
/// lives until after the lock is released, even if the caller doesn't use it. Without that, an
/// optimized build would release an unused result under the lock.
@usableFromInline
package struct Lock<State>: @unchecked Sendable {  // The mutex guards the state.
  @usableFromInline let buffer: LockBuffer<State>

  @inlinable
  package init(_ state: State) {
    buffer = LockBuffer.guarding(state)
  }

  /// Runs a closure with exclusive access to the state.
  @inlinable
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (state, mutex) = buffer.withUnsafeMutablePointers { ($0, $1) }
    acquire(mutex)
    let result: Result
    do { result = try body(&state.pointee) } catch {
      release(mutex)
      throw error
    }
    release(mutex)
    withExtendedLifetime(result) {}
    return result
  }

  /// Runs a closure with exclusive access to the state, or returns `nil` immediately if a thread,
  /// or even this one, already has access.
  package func withLockIfFree<Result>(_ body: (inout State) -> Result) -> Result? {
    let (state, mutex) = buffer.withUnsafeMutablePointers { ($0, $1) }
    guard tryAcquire(mutex) else { return nil }
    let result = body(&state.pointee)
    release(mutex)
    withExtendedLifetime(result) {}
    return result
  }
}

@usableFromInline
final class LockBuffer<State>: ManagedBuffer<State, PlatformMutex> {
  @inlinable
  static func guarding(_ state: State) -> LockBuffer<State> {
    let buffer = create(minimumCapacity: 1) { _ in state }
    buffer.withUnsafeMutablePointerToElements { initializeMutex($0) }
    return unsafeDowncast(buffer, to: LockBuffer<State>.self)
  }

  deinit {
    withUnsafeMutablePointerToElements { destroyMutex($0) }
  }
}
