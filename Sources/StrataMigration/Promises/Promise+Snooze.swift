import StrataVerbs

extension Promise {
  /// Returns a promise that settles after a delay, with the same outcome as this promise.
  ///
  /// This is `Promise.delayed(by:clock:)`. If you cancel the result, it settles immediately. In
  /// PiedPiper, it settles only at the end of the delay.
  ///
  /// - Parameters:
  ///   - delay: The time from the outcome of this promise to the outcome of the result.
  ///   - clock: The clock that measures the time. By default, it's the system clock.
  /// - Law: `p.snooze(t) == p.delayed(by: t)`. See `PromiseSnoozeTests`.
  public func snooze(_ delay: Duration, clock: TimeSource = .system) -> Promise {
    delayed(by: delay, clock: clock)
  }
}
