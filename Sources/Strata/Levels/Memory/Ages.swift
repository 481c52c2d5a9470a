import Synchronization

/// What a memory level of stamped values knows beside its entries: when each is over.
@usableFromInline
final class Ages<Value: Sendable>: @unchecked Sendable {
  // The wheel is reached under the lock of the policy alone.
  private let now: @Sendable () -> TimeSource.Instant
  private let stamps: @Sendable (Value) -> (born: TimeSource.Instant, end: TimeSource.Instant?)
  /// The tick from which on there is something to let go of.
  private let due = Atomic<Int64>(Wheel.never)
  private let latest = Atomic<Int64>(0)
  private var wheel = Wheel()

  /// - Parameters:
  ///   - now: The clock of the level; called outside all locks.
  ///   - stamps: Birth and end of a value; called under locks: it reads what is
  ///     stored in a ``Stamped``, and no code of the user runs.
  @usableFromInline
  init(
    _ now: @escaping @Sendable () -> TimeSource.Instant,
    stamps: @escaping @Sendable (Value) -> (born: TimeSource.Instant, end: TimeSource.Instant?)
  ) {
    (self.now, self.stamps) = (now, stamps)
  }

  deinit { wheel.deallocate() }

  /// Whether a value that comes may be kept: neither over already nor from the future. Notes the
  /// time.
  @usableFromInline
  func admits(_ value: Value) -> Bool {
    let now = now()
    latest.store(Wheel.tick(of: now), ordering: .relaxed)
    let (born, end) = stamps(value)
    return Stamped((), storedAt: born, expiresAt: end).isLive(at: now)
  }

  /// The present tick, if something is to be let go of by then.
  @usableFromInline
  var dueNow: Int64? {
    let latest = latest.load(ordering: .relaxed)
    return due.load(ordering: .relaxed) <= latest ? latest : nil
  }

  /// Whether a value may take the place of another without its end being set anew.
  @usableFromInline
  func isNotEarlier(_ new: Value, than old: Value) -> Bool {
    guard let end = stamps(new).end else { return true }
    return stamps(old).end.map { end >= $0 } ?? false
  }

  func end(of value: Value) -> Int64 { stamps(value).end.map(Wheel.tick(after:)) ?? Wheel.never }
}

extension Ages /* : the caller holds the lock of the policy */ {
  @usableFromInline
  func schedule(_ number: UInt32, _ value: Value) { schedule(number, at: end(of: value)) }

  func schedule(_ number: UInt32, at tick: Int64) {
    wheel.start(at: latest.load(ordering: .relaxed))
    wheel.schedule(number, at: tick)
    noteDue()
  }

  @usableFromInline
  func unschedule(_ number: UInt32) { wheel.unschedule(number) }

  func next(by tick: Int64) -> UInt32? { wheel.next(by: tick) }

  func noteDue() { due.store(wheel.due, ordering: .relaxed) }

  func removeAll() {
    wheel.deallocate()
    wheel = Wheel()
    noteDue()
  }
}
