import Foundation

/// Returns the time in nanoseconds of a monotonic clock that also runs while the machine sleeps.
///
/// This clock shows the same time as `ContinuousClock`, but can be read three times as fast.
package func runningNanoseconds() -> Int64 {
  #if canImport(Darwin)
    return Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
  #else
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  #endif
}

/// Returns a number that changes with each tick of the system timer, every 1 to 10 ms.
///
/// At each tick, the system stores this number, so this function is six times as fast as
/// `runningNanoseconds()`.
func coarseTick() -> Int64 {
  #if canImport(Darwin)
    return Int64(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW_APPROX))
  #else
    var time = timespec()
    // A system without a coarse clock has only the exact one.
    guard clock_gettime(CLOCK_MONOTONIC_COARSE, &time) == 0 else { return runningNanoseconds() }
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  #endif
}
