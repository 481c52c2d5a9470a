import Synchronization

/// A stamped value, and when it was wanted last.
@usableFromInline
struct Idling<Wrapped: StampedValue>: Sendable {
  /// In nanoseconds since 1970: in an object of its own, so that a hit writes it under no lock.
  @usableFromInline
  final class Touch: Sendable {
    @usableFromInline let moment: Atomic<Int64>

    @inlinable
    init(_ moment: Int64) { self.moment = Atomic(moment) }
  }

  @usableFromInline let stamped: Wrapped
  @usableFromInline let touch: Touch

  @inlinable
  init(_ stamped: Wrapped, at now: TimeSource.Instant) {
    self.stamped = stamped
    touch = Touch(now.nanoseconds)
  }

  /// When it is over: at its deadline, or when it was not wanted for long enough.
  @inlinable
  func end(after idle: Int64) -> TimeSource.Instant {
    let moment = touch.moment.load(ordering: .relaxed)
    let end = TimeSource.Instant(nanoseconds: moment).advanced(byNanoseconds: idle)
    return stamped.expiresAt.map { min($0, end) } ?? end
  }

  /// Notes that it is wanted, unless it is over.
  @inlinable
  func touched(after idle: Int64, at now: TimeSource.Instant) -> Bool {
    guard now < end(after: idle) else { return false }
    touch.moment.store(now.nanoseconds, ordering: .relaxed)
    return true
  }
}

extension Cache {
  /// A level of values that note when they were wanted, as one of the stamped values in them.
  @inlinable
  func unwrapped<Wrapped>(
    after idle: Int64, on time: TimeSource
  ) -> Cache<Key, Wrapped> where Value == Idling<Wrapped> {
    let now = time.now
    return unwrapped(now) { get in
      let wanted: @Sendable (Idling<Wrapped>) -> Promise<Wrapped> = { value in
        value.touched(after: idle, at: now()) ? Promise(outcome: .success(value.stamped)) : .miss
      }
      return { key in get(key).flatMap(wanted) }
    }
  }

  /// - Parameter asking: How it is asked: made where the types are known, so that a hit is compiled
  ///   for them.
  @usableFromInline
  func unwrapped<Wrapped>(
    _ now: @escaping @Sendable () -> TimeSource.Instant,
    asking:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Idling<Wrapped>>
      ) -> @Sendable (Key) -> Promise<Wrapped>
  ) -> Cache<Key, Wrapped> where Value == Idling<Wrapped> {
    let set = set
    return Cache<Key, Wrapped>(
      get: asking(get),
      set: { key, value in set(key, Idling(value, at: now())) },
      remove: remove, clear: clear, memoryWarning: memoryWarning,
      spine: Spine<Key, Wrapped>(
        plan: plan, reporting: spine.reporting { $0.unwrapped(now, asking: asking) }))
  }
}
