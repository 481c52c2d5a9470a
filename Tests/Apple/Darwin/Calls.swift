// The functions have the types that Swift imports from XNU's headers and libc. Each function stops
// the program if it is called. The checks only compile the code that calls these functions, and
// never run that code.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/

// Swift's overlay declares the variadic functions `open`, `openat`, and `fcntl` without
// `@discardableResult`, so callers must use their results.
// https://github.com/swiftlang/swift/blob/main/stdlib/public/Platform/Platform.swift
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/open.2.html
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/open.2.html
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/open.2.html
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/open.2.html
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t)
  -> Int32
{ standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mkdir.2.html
@discardableResult
public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/chmod.2.html
@discardableResult
public func chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/unlink.2.html
@discardableResult
public func unlinkat(_ fd: Int32, _ path: UnsafePointer<CChar>!, _ flag: Int32) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/unlink.2.html
@discardableResult
public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/link.2.html
@discardableResult
public func link(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/link.2.html
@discardableResult
public func linkat(
  _ from: Int32, _ path: UnsafePointer<CChar>!, _ to: Int32, _ name: UnsafePointer<CChar>!,
  _ flag: Int32
) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/rename.2.html
@discardableResult
public func renameat(
  _ from: Int32, _ path: UnsafePointer<CChar>!, _ to: Int32, _ name: UnsafePointer<CChar>!
) -> Int32 { standIn() }
/// https://github.com/apple-oss-distributions/xnu/blob/main/bsd/sys/stat.h
@discardableResult
public func utimensat(
  _ fd: Int32, _ path: UnsafePointer<CChar>!, _ times: UnsafePointer<timespec>!, _ flag: Int32
) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/flock.2.html
@discardableResult
public func flock(_ fd: Int32, _ operation: Int32) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/stat.2.html
@discardableResult
public func fstat(_ fd: Int32, _ found: UnsafeMutablePointer<stat>!) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/stat.2.html
@discardableResult
public func fstatat(
  _ fd: Int32, _ path: UnsafePointer<CChar>!, _ found: UnsafeMutablePointer<stat>!, _ flag: Int32
) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/lseek.2.html
@discardableResult
public func lseek(_ fd: Int32, _ offset: off_t, _ whence: Int32) -> off_t { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/read.2.html
@discardableResult
public func pread(_ fd: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t)
  -> Int
{ standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/write.2.html
@discardableResult
public func pwrite(_ fd: Int32, _ bytes: UnsafeRawPointer!, _ count: Int, _ offset: off_t) -> Int {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/write.2.html
@discardableResult
public func writev(_ fd: Int32, _ parts: UnsafePointer<iovec>!, _ count: Int32) -> Int { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fsync.2.html
@discardableResult
public func fsync(_ fd: Int32) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/truncate.2.html
@discardableResult
public func ftruncate(_ fd: Int32, _ length: off_t) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/truncate.2.html
@discardableResult
public func truncate(_ path: UnsafePointer<CChar>!, _ length: off_t) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/directory.3.html
@discardableResult
public func fdopendir(_ fd: Int32) -> UnsafeMutablePointer<DIR>! { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/directory.3.html
@discardableResult
public func readdir(_ stream: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/directory.3.html
@discardableResult
public func closedir(_ stream: UnsafeMutablePointer<DIR>!) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getuid.2.html
@discardableResult
public func geteuid() -> uid_t { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getpid.2.html
@discardableResult
public func getpid() -> pid_t { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kill.2.html
@discardableResult
public func kill(_ pid: pid_t, _ signal: Int32) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/ttyname.3.html
@discardableResult
public func isatty(_ fd: Int32) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/dup.2.html
@discardableResult
public func dup(_ fd: Int32) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/dup.2.html
@discardableResult
public func dup2(_ fd: Int32, _ other: Int32) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getrlimit.2.html
@discardableResult
public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/getenv.3.html
@discardableResult
public func setenv(
  _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!, _ overwrite: Int32
) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/getenv.3.html
@discardableResult
public func unsetenv(_ name: UnsafePointer<CChar>!) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/access.2.html
@discardableResult
public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/mktemp.3.html
@discardableResult
public func mkdtemp(_ path: UnsafeMutablePointer<CChar>!) -> UnsafeMutablePointer<CChar>! {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/sigsetops.3.html
@discardableResult
public func sigemptyset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/sigsetops.3.html
@discardableResult
public func sigaddset(_ set: UnsafeMutablePointer<sigset_t>!, _ signal: Int32) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/sigwait.2.html
@discardableResult
public func sigwait(_ set: UnsafePointer<sigset_t>!, _ signal: UnsafeMutablePointer<Int32>!)
  -> Int32
{ standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/signal.3.html
@discardableResult
public func signal(_ signal: Int32, _ handler: sig_t!) -> sig_t! { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/dlopen.3.html
@discardableResult
public func dlopen(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> UnsafeMutableRawPointer! {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/dlsym.3.html
@discardableResult
public func dlsym(_ handle: UnsafeMutableRawPointer!, _ name: UnsafePointer<CChar>!)
  -> UnsafeMutableRawPointer!
{ standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/dlclose.3.html
@discardableResult
public func dlclose(_ handle: UnsafeMutableRawPointer!) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_mutex_init.3.html
@discardableResult
public func pthread_mutex_init(
  _ mutex: UnsafeMutablePointer<pthread_mutex_t>, _ attributes: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_mutex_lock.3.html
@available(*, noasync, message: "Use NSLock.withLock().")
@discardableResult
public func pthread_mutex_lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_mutex_unlock.3.html
@available(*, noasync, message: "Use NSLock.withLock().")
@discardableResult
public func pthread_mutex_unlock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_mutex_destroy.3.html
@discardableResult
public func pthread_mutex_destroy(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/atexit.3.html
@discardableResult
public func atexit(_ body: @convention(c) () -> Void) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/_exit.2.html
public func _exit(_ status: Int32) -> Never { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/symlink.2.html
@discardableResult
public func symlink(_ target: UnsafePointer<CChar>!, _ path: UnsafePointer<CChar>!) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mkfifo.2.html
@discardableResult
public func mkfifo(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/rename.2.html
@discardableResult
public func rename(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/stat.2.html
@discardableResult
public func lstat(_ path: UnsafePointer<CChar>!, _ found: UnsafeMutablePointer<stat>!) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/umask.2.html
@discardableResult
public func umask(_ mode: mode_t) -> mode_t { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/utimes.2.html
@discardableResult
public func utimes(_ path: UnsafePointer<CChar>!, _ times: UnsafePointer<timeval>!) -> Int32 {
  standIn()
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mmap.2.html
@discardableResult
public func mmap(
  _ address: UnsafeMutableRawPointer!, _ length: Int, _ protection: Int32, _ flags: Int32,
  _ fd: Int32, _ offset: off_t
) -> UnsafeMutableRawPointer! { standIn() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/munmap.2.html
@discardableResult
public func munmap(_ address: UnsafeMutableRawPointer!, _ length: Int) -> Int32 { standIn() }

func standIn() -> Never { fatalError("This function is a stand-in.") }
