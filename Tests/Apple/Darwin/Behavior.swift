import Glibc
import class Foundation.Thread
import Synchronization

// These functions work, so tests run on them.

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
/// The system ends a process that unlocks a lock it doesn't hold.
@available(*, noasync, message: "Use OSAllocatedUnfairLock.withLock().")
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) {
  let old = flag(lock).pointee.exchange(0, ordering: .releasing)
  precondition(old == 1, "The lock is not locked.")
}

/// A destructor doesn't receive `nil`, so its parameter isn't optional.
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

public func pthread_getspecific(_ key: pthread_key_t) -> UnsafeMutableRawPointer? {
  Glibc.pthread_getspecific(Glibc.pthread_key_t(key))
}

@discardableResult
public func pthread_setspecific(_ key: pthread_key_t, _ value: UnsafeRawPointer?) -> Int32 {
  Glibc.pthread_setspecific(Glibc.pthread_key_t(key), value)
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_main_np.3.html
@discardableResult
public func pthread_main_np() -> Int32 { Thread.isMainThread ? 1 : 0 }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_self.3.html
public func pthread_self() -> pthread_t { pthread_t(bitPattern: Glibc.pthread_self())! }

/// A pointer to an incomplete structure.
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public struct _opaque_pthread_t {}

/// `clockid_t` is an enumeration with these raw values.
public struct clockid_t: Equatable, Sendable {
  let linux: Glibc.clockid_t
}

public var CLOCK_REALTIME: clockid_t { clockid_t(linux: Glibc.CLOCK_REALTIME) }
public var CLOCK_MONOTONIC_RAW: clockid_t { clockid_t(linux: Glibc.CLOCK_BOOTTIME) }

public var CLOCK_MONOTONIC_RAW_APPROX: clockid_t {
  clockid_t(linux: Glibc.CLOCK_MONOTONIC_COARSE)
}

public func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

@discardableResult
public func clock_gettime(_ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!) -> Int32 {
  var linux = Glibc.timespec()
  let result = Glibc.clock_gettime(clock.linux, &linux)
  (time.pointee.tv_sec, time.pointee.tv_nsec) = (linux.tv_sec, linux.tv_nsec)
  return result
}

public var errno: Int32 {
  get { Glibc.errno }
  set { Glibc.errno = newValue }
}

public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! { Glibc.strerror(code) }
public func exit(_ status: Int32) -> Never { Glibc.exit(status) }
public func malloc(_ size: Int) -> UnsafeMutableRawPointer! { Glibc.malloc(size) }
public func calloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer! {
  Glibc.calloc(count, size)
}
public func free(_ block: UnsafeMutableRawPointer!) { Glibc.free(block) }
public func memcmp(_ one: UnsafeRawPointer!, _ other: UnsafeRawPointer!, _ count: Int) -> Int32 {
  Glibc.memcmp(one, other, count)
}
@discardableResult
public func sched_yield() -> Int32 { Glibc.sched_yield() }
@discardableResult
public func usleep(_ time: useconds_t) -> Int32 { Glibc.usleep(time) }
public func pow(_ base: Double, _ exponent: Double) -> Double { Glibc.pow(base, exponent) }
public func log(_ value: Double) -> Double { Glibc.log(value) }
public func log2(_ value: Double) -> Double { Glibc.log2(value) }
public func exp(_ value: Double) -> Double { Glibc.exp(value) }
public func floor(_ value: Double) -> Double { value.rounded(.down) }
@discardableResult
public func realpath(
  _ path: UnsafePointer<CChar>!, _ resolved: UnsafeMutablePointer<CChar>!
) -> UnsafeMutablePointer<CChar>! { Glibc.realpath(path, resolved) }

/// Every limit of the stand-in is infinite.
@discardableResult
public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 {
  (limit.pointee.rlim_cur, limit.pointee.rlim_max) = (.max, .max)
  return 0
}
