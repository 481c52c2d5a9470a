import Foundation

/// A clock in nanoseconds that never goes back, and also runs while the machine sleeps.
///
/// It shows the same time as `ContinuousClock`, and a read takes a third as long.
package func runningNanoseconds() -> Int64 {
  #if canImport(Darwin)
    return Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
  #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  #endif
}
