import Dispatch

/// The clock of a transfer's deadline, used where no other is given.
enum NetworkTimer {
  /// Calls the closure once after the duration; what it returns prevents that.
  typealias After =
    @Sendable (_ duration: Duration, _ action: @escaping @Sendable () -> Void) ->
    @Sendable () -> Void

  /// A source rather than `asyncAfter`, which would keep its closure until the deadline.
  static let after: After = { duration, action in
    let source = DispatchSource.makeTimerSource(queue: .global())
    source.setEventHandler(handler: action)
    source.schedule(deadline: .now() + .nanoseconds(nanoseconds(duration)))
    source.resume()
    let running = Lock<(any DispatchSourceTimer)?>(source)
    return { running.withLock { $0.take() }?.cancel() }
  }

  /// Bounded by a century, which no addition to the present overflows.
  static func nanoseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int(min(seconds, 3_153_600_000)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
  }
}
