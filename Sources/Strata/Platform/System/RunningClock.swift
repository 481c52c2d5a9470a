import Foundation

/// Returns the time in nanoseconds of a monotonic clock, which also runs while the machine sleeps.
///
/// The clock shows the same time as `ContinuousClock`, but reading it takes a third as long.
package func runningNanoseconds() -> Int64 {
  #if canImport(Darwin)
    return Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
  #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  #endif
}
