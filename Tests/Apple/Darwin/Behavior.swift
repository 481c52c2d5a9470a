import Glibc
import class Foundation.Thread
import Synchronization

// These stand-ins for Darwin's functions have working implementations, so tests can call them.

/// https://developer.apple.com/documentation/os/os_unfair_lock_t
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

private func flag(_ lock: os_unfair_lock_t) -> UnsafeMutablePointer<Atomic<UInt32>> {
  UnsafeMutableRawPointer(lock).assumingMemoryBound(to: Atomic<UInt32>.self)
}

/// https://developer.apple.com/documentation/os/os_unfair_lock_lock
@available(*, noasync, message: "Use OSAllocatedUnfairLock.withLock().")
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) {
  while !os_unfair_lock_trylock(lock) { _ = Glibc.sched_yield() }
}

/// https://developer.apple.com/documentation/os/os_unfair_lock_trylock
@available(*, noasync, message: "Use OSAllocatedUnfairLock.withLock().")
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  flag(lock).pointee.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing)
    .exchanged
}

/// https://developer.apple.com/documentation/os/os_unfair_lock_unlock
///
/// The system terminates the process if a thread unlocks a lock that the thread doesn't hold.
@available(*, noasync, message: "Use OSAllocatedUnfairLock.withLock().")
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  let old = flag(lock).pointee.exchange(0, ordering: .releasing)
  precondition(old == 1, "Only a locked lock can be unlocked.")
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_key_create.3.html
///
/// The system never passes `nil` to a destructor, so the destructor's parameter isn't optional.
@discardableResult
public func pthread_key_create(
  _ key: UnsafeMutablePointer<pthread_key_t>!,
  _ destructor: (@convention(c) (UnsafeMutableRawPointer) -> Void)?
) -> Int32 {
  var new = Glibc.pthread_key_t()
  let destructor = unsafeBitCast(
    destructor, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?.self)
  defer { key.pointee = pthread_key_t(new) }
  return Glibc.pthread_key_create(&new, destructor)
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_getspecific.3.html
@available(*, noasync, message: "Use the local values of a task.")
public func pthread_getspecific(_ key: pthread_key_t) -> UnsafeMutableRawPointer? {
  Glibc.pthread_getspecific(Glibc.pthread_key_t(key))
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_setspecific.3.html
@available(*, noasync, message: "Use the local values of a task.")
@discardableResult
public func pthread_setspecific(_ key: pthread_key_t, _ value: UnsafeRawPointer?) -> Int32 {
  Glibc.pthread_setspecific(Glibc.pthread_key_t(key), value)
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_main_np.3.html
@discardableResult
public func pthread_main_np() -> Int32 { Thread.isMainThread ? 1 : 0 }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_self.3.html
public func pthread_self() -> pthread_t { pthread_t(bitPattern: Glibc.pthread_self())! }

/// https://developer.apple.com/documentation/kernel/pthread_t
///
/// A pointer to an incomplete structure.
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public struct _opaque_pthread_t {}

/// https://developer.apple.com/documentation/kernel/clockid_t
///
/// Swift imports this C enumeration as a structure with a raw value.
public struct clockid_t: Equatable, Sendable {
  let linux: Glibc.clockid_t
}

// CLOCK_MONOTONIC_RAW continues to advance while the system sleeps:
// https://developer.apple.com/documentation/kernel/clockid_t
public var CLOCK_REALTIME: clockid_t { clockid_t(linux: Glibc.CLOCK_REALTIME) }
public var CLOCK_MONOTONIC_RAW: clockid_t { clockid_t(linux: Glibc.CLOCK_BOOTTIME) }
public var CLOCK_PROCESS_CPUTIME_ID: clockid_t {
  clockid_t(linux: Glibc.CLOCK_PROCESS_CPUTIME_ID)
}
public var CLOCK_THREAD_CPUTIME_ID: clockid_t {
  clockid_t(linux: Glibc.CLOCK_THREAD_CPUTIME_ID)
}

/// https://developer.apple.com/documentation/kernel/clockid_t
public var CLOCK_MONOTONIC_RAW_APPROX: clockid_t {
  clockid_t(linux: Glibc.CLOCK_MONOTONIC_COARSE)
}

/// https://developer.apple.com/documentation/kernel
public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// https://developer.apple.com/documentation/kernel
@discardableResult
public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!) -> Int32 {
  var linux = Glibc.timespec()
  let result = Glibc.clock_gettime(clock.linux, &linux)
  (time.pointee.tv_sec, time.pointee.tv_nsec) = (linux.tv_sec, linux.tv_nsec)
  return result
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/exit.3.html
public func exit(_ status: Int32) -> Never { Glibc.exit(status) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/malloc.3.html
public func malloc(_ size: Int) -> UnsafeMutableRawPointer! { Glibc.malloc(size) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/malloc.3.html
public func calloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer! {
  Glibc.calloc(count, size)
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/malloc.3.html
public func free(_ block: UnsafeMutableRawPointer!) { Glibc.free(block) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/memcmp.3.html
public func memcmp(_ one: UnsafeRawPointer!, _ other: UnsafeRawPointer!, _ count: Int) -> Int32 {
  Glibc.memcmp(one, other, count)
}
/// https://developer.apple.com/documentation/kernel
@discardableResult
public func sched_yield() -> Int32 { Glibc.sched_yield() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/usleep.3.html
@discardableResult
public func usleep(_ time: useconds_t) -> Int32 { Glibc.usleep(time) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pow.3.html
public func pow(_ base: Double, _ exponent: Double) -> Double { Glibc.pow(base, exponent) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/log.3.html
public func log(_ value: Double) -> Double { Glibc.log(value) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/log2.3.html
public func log2(_ value: Double) -> Double { Glibc.log2(value) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/exp.3.html
public func exp(_ value: Double) -> Double { Glibc.exp(value) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/cos.3.html
public func cos(_ value: Double) -> Double { Glibc.cos(value) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/floor.3.html
public func floor(_ value: Double) -> Double { value.rounded(.down) }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/realpath.3.html
@discardableResult
public func realpath(
  _ path: UnsafePointer<CChar>!, _ resolved: UnsafeMutablePointer<CChar>!
) -> UnsafeMutablePointer<CChar>! { Glibc.realpath(path, resolved) }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getrlimit.2.html
///
/// The stand-in reports every resource limit as infinite.
@discardableResult
public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 {
  (limit.pointee.rlim_cur, limit.pointee.rlim_max) = (.max, .max)
  return 0
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/inet_pton.3.html
@discardableResult
public func inet_pton(
  _ family: Int32, _ text: UnsafePointer<CChar>!, _ address: UnsafeMutableRawPointer!
) -> Int32 {
  Glibc.inet_pton(family == 2 ? Glibc.AF_INET : Glibc.AF_INET6, text, address)
}
