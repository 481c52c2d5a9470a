import Synchronization

/// The expiration times of the entries in a memory level of stamped values. This type is
/// `@unchecked Sendable`, because the level's policy lock guards `wheel`.
@usableFromInline
final class ExpirationTracker<Value: Sendable>: @unchecked Sendable {
  @usableFromInline typealias Times = (stored: TimeSource.Instant, expires: TimeSource.Instant?)

  private let now: @Sendable () -> TimeSource.Instant
  private let times: @Sendable (Value) -> Times
  /// The first tick at which an entry may have expired.
  private let due = Atomic<Int64>(TimerWheel.never)
  private let latest = Atomic<Int64>(0)
  private var wheel = TimerWheel()

  /// - Parameters:
  ///   - now: The clock of the level, which is called without a lock.
  ///   - times: A closure that reads the creation and expiration times of a value. It's called with
  ///     locks, so it must not run user code.
  @usableFromInline
  init(
    _ now: @escaping @Sendable () -> TimeSource.Instant, times: @escaping @Sendable (Value) -> Times
  ) {
    (self.now, self.times) = (now, times)
  }

  deinit { wheel.deallocate() }

  /// Returns whether a new value is unexpired and its creation time is at most 60 seconds in the
  /// future. This function also reads the clock and stores the current tick in `latest`.
  @usableFromInline
  func admits(_ value: Value) -> Bool {
    let now = now()
    latest.store(TimerWheel.tick(of: now), ordering: .relaxed)
    let (stored, expires) = times(value)
    return Stamped((), storedAt: stored, expiresAt: expires).isValid(at: now)
  }

  /// The tick of the last clock reading if expired entries may exist, and otherwise `nil`.
  @usableFromInline
  var dueTick: Int64? {
    let latest = latest.load(ordering: .relaxed)
    return due.load(ordering: .relaxed) <= latest ? latest : nil
  }

  /// Whether a new value expires no earlier than the old one, so the entry needn't be rescheduled.
  @usableFromInline
  func expires(_ new: Value, noEarlierThan old: Value) -> Bool {
    guard let expires = times(new).expires else { return true }
    return times(old).expires.map { expires >= $0 } ?? false
  }

  func expirationTick(of value: Value) -> Int64 {
    times(value).expires.map(TimerWheel.tick(after:)) ?? TimerWheel.never
  }
}

extension ExpirationTracker {
  /// Returns a tracker if `Value` is a ``Stamped`` type, and `nil` for any other type.
  ///
  /// This function checks the type of the values at run time, once for each level. An overload of
  /// `memory` for stamped values couldn't replace the check, because the compiler would still
  /// select the general overload.
  @usableFromInline
  static func forStampedValues(_ time: TimeSource) -> ExpirationTracker? {
    (Value.self as? any ExpirationTracked.Type)?.tracker(time.now) as? ExpirationTracker
  }
}

/// A type whose values have expiration times.
private protocol ExpirationTracked {
  static func tracker(_ now: @escaping @Sendable () -> TimeSource.Instant) -> AnyObject
}

extension Stamped: ExpirationTracked {
  fileprivate static func tracker(
    _ now: @escaping @Sendable () -> TimeSource.Instant
  ) -> AnyObject {
    ExpirationTracker<Stamped>(now) { ($0.storedAt, $0.expiresAt) }
  }
}

extension ExpirationTracker /* : callers hold the policy lock */ {
  @usableFromInline
  func schedule(_ id: UInt32, _ value: Value) { schedule(id, at: expirationTick(of: value)) }

  func schedule(_ id: UInt32, at tick: Int64) {
    wheel.start(at: latest.load(ordering: .relaxed))
    wheel.schedule(id, at: tick)
    updateDue()
  }

  @usableFromInline
  func unschedule(_ id: UInt32) { wheel.unschedule(id) }

  func next(by tick: Int64) -> UInt32? { wheel.next(by: tick) }

  func updateDue() { due.store(wheel.due, ordering: .relaxed) }

  /// The size of the wheel in bytes.
  var overhead: Int { wheel.bytes }

  func removeAll() {
    wheel.deallocate()
    wheel = TimerWheel()
    updateDue()
  }
}
