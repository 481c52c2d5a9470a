import StrataCore

extension Promise {
  /// Returns a promise that settles after a delay, with the same outcome as this promise.
  ///
  /// This is `Promise.delayed(by:clock:)`. In PiedPiper, cancelling the result waits for
  /// the end of the delay. Here it takes effect immediately.
  ///
  /// - Parameters:
  ///   - delay: The time between settling this promise and settling the result.
  ///   - clock: The clock that measures the time. The default is the system clock.
  /// - Law: `p.snooze(t) == p.delayed(by: t)`. See `PromiseSnoozeTests`.
  public func snooze(_ delay: Duration, clock: TimeSource = .system) -> Promise {
    delayed(by: delay, clock: clock)
  }
}
