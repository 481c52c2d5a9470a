import Synchronization

/// A stamped value with the time of its last access.
@usableFromInline
struct IdleTracked<Plain: Sendable>: Sendable {
  /// The time of the last access, in a separate object, so that a hit can store it without a lock.
  @usableFromInline
  final class LastAccess: Sendable {
    /// Nanoseconds since 1970.
    @usableFromInline let nanoseconds: Atomic<Int64>

    @inlinable
    init(_ nanoseconds: Int64) { self.nanoseconds = Atomic(nanoseconds) }
  }

  @usableFromInline let stamped: Stamped<Plain>
  @usableFromInline let lastAccess: LastAccess

  @inlinable
  init(_ stamped: Stamped<Plain>, at now: TimeSource.Instant) {
    self.stamped = stamped
    lastAccess = LastAccess(now.nanoseconds)
  }

  /// Returns the value's deadline or the end of its idle time, whichever is earlier.
  @inlinable
  func expiration(after idle: Int64) -> TimeSource.Instant {
    let access = lastAccess.nanoseconds.load(ordering: .relaxed)
    let end = TimeSource.Instant(nanoseconds: access).advanced(byNanoseconds: idle)
    return stamped.expiresAt.map { min($0, end) } ?? end
  }

  /// Stores the access time and returns `true`, or returns `false` if the value has expired.
  @inlinable
  func recordAccess(after idle: Int64, at now: TimeSource.Instant) -> Bool {
    guard now < expiration(after: idle) else { return false }
    lastAccess.nanoseconds.store(now.nanoseconds, ordering: .relaxed)
    return true
  }
}

extension IdleTracked: Wrapping {
  var wrapped: Stamped<Plain> { stamped }
}

extension Cache {
  /// Returns a cache of stamped values, which stores each value in this level, together with the
  /// time of the value's last access.
  @inlinable
  func unwrappingIdleTracked<Plain>(
    after idle: Int64, on time: TimeSource
  ) -> Cache<Key, Stamped<Plain>> where Value == IdleTracked<Plain> {
    let now = time.now
    return unwrappingIdleTracked(now) { get in
      let unwrap: @Sendable (IdleTracked<Plain>) -> Promise<Stamped<Plain>> = { value in
        guard value.recordAccess(after: idle, at: now()) else { return .miss }
        return Promise(outcome: .success(value.stamped))
      }
      return { key in get(key).flatMap(unwrap) }
    } peek: { value in
      guard now() < value.expiration(after: idle) else { return .miss }
      return Promise(outcome: .success(value.stamped))
    }
  }

  /// - Parameters:
  ///   - get: A closure that creates the new cache's `get` function from this cache's `get`
  ///     function. An inlinable function passes this closure, so that the compiler specializes it
  ///     for the caller's types.
  ///   - peek: A function that returns a value without storing the time of its access.
  @usableFromInline
  func unwrappingIdleTracked<Plain>(
    _ now: @escaping @Sendable () -> TimeSource.Instant,
    get: @escaping GetTransform<Stamped<Plain>>,
    peek: @escaping @Sendable (IdleTracked<Plain>) -> Promise<Stamped<Plain>>
  ) -> Cache<Key, Stamped<Plain>> where Value == IdleTracked<Plain> {
    transforming(plan) { cache, _ in
      let below = cache.operations
      let peeking = { @Sendable (key: Key) in below.get(key).flatMap(peek) }
      return CacheOperations<Key, Stamped<Plain>>(
        get: cache.metadata.reads.contains(.peeking) ? peeking : get(below.get),
        set: { key, value in below.set(key, IdleTracked(value, at: now())) },
        remove: below.remove, clear: below.clear, memoryWarning: below.memoryWarning,
        dropLoad: below.dropLoad)
    }
  }
}
