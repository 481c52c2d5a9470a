import Foundation

/// The processor time of all threads of this process, or of one thread.
enum ProcessorTime {
  static var now: Duration { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// The processor time of this thread.
  static var ofThisThread: Duration { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
