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

/// A number that changes with each tick of the system, every 1 to 10 ms.
///
/// The system stores it, so that reading it takes a sixth of a clock read.
func coarseTick() -> Int64 {
  #if canImport(Darwin)
    return Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW_APPROX))
  #else
    var time = timespec()
    // A system without ticks has the clock.
    guard clock_gettime(CLOCK_MONOTONIC_COARSE, &time) == 0 else { return runningNanoseconds() }
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  #endif
}
