// The functions have the types that Swift imports from XNU's headers and libc. Each of these stops the
// program: the checks compile the callers, and don't run them.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/

@discardableResult
public func close(_ fd: Int32) -> Int32 { standIn() }
// Swift's own overlay declares the three variadic functions, so a program must use their results.
// https://github.com/swiftlang/swift/blob/main/stdlib/public/Platform/Platform.swift
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { standIn() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
  standIn()
}
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { standIn() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t)
  -> Int32
{ standIn() }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { standIn() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { standIn() }
@discardableResult
public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { standIn() }
@discardableResult
public func chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { standIn() }
@discardableResult
public func unlinkat(_ fd: Int32, _ path: UnsafePointer<CChar>!, _ flag: Int32) -> Int32 {
  standIn()
}
@discardableResult
public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { standIn() }
@discardableResult
public func link(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!) -> Int32 { standIn() }
@discardableResult
public func flock(_ fd: Int32, _ operation: Int32) -> Int32 { standIn() }
@discardableResult
public func fstat(_ fd: Int32, _ found: UnsafeMutablePointer<stat>!) -> Int32 { standIn() }
@discardableResult
public func fstatat(
  _ fd: Int32, _ path: UnsafePointer<CChar>!, _ found: UnsafeMutablePointer<stat>!, _ flag: Int32
) -> Int32 { standIn() }
@discardableResult
public func lseek(_ fd: Int32, _ offset: off_t, _ whence: Int32) -> off_t { standIn() }
@discardableResult
public func read(_ fd: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int) -> Int { standIn() }
@discardableResult
public func write(_ fd: Int32, _ bytes: UnsafeRawPointer!, _ count: Int) -> Int { standIn() }
@discardableResult
public func pread(_ fd: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t)
  -> Int
{ standIn() }
@discardableResult
public func pwrite(_ fd: Int32, _ bytes: UnsafeRawPointer!, _ count: Int, _ offset: off_t) -> Int {
  standIn()
}
@discardableResult
public func writev(_ fd: Int32, _ parts: UnsafePointer<iovec>!, _ count: Int32) -> Int { standIn() }
@discardableResult
public func fsync(_ fd: Int32) -> Int32 { standIn() }
@discardableResult
public func ftruncate(_ fd: Int32, _ length: off_t) -> Int32 { standIn() }
@discardableResult
public func truncate(_ path: UnsafePointer<CChar>!, _ length: off_t) -> Int32 { standIn() }
@discardableResult
public func fdopendir(_ fd: Int32) -> UnsafeMutablePointer<DIR>! { standIn() }
@discardableResult
public func readdir(_ stream: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! {
  standIn()
}
@discardableResult
public func closedir(_ stream: UnsafeMutablePointer<DIR>!) -> Int32 { standIn() }
@discardableResult
public func geteuid() -> uid_t { standIn() }
@discardableResult
public func getpid() -> pid_t { standIn() }
@discardableResult
public func kill(_ pid: pid_t, _ signal: Int32) -> Int32 { standIn() }
@discardableResult
public func isatty(_ fd: Int32) -> Int32 { standIn() }
@discardableResult
public func dup(_ fd: Int32) -> Int32 { standIn() }
@discardableResult
public func dup2(_ fd: Int32, _ other: Int32) -> Int32 { standIn() }
@discardableResult
public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 { standIn() }
@discardableResult
public func poll(_ files: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ timeout: Int32) -> Int32
{ standIn() }
@discardableResult
public func pipe(_ ends: UnsafeMutablePointer<Int32>!) -> Int32 { standIn() }
@discardableResult
public func setenv(
  _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!, _ overwrite: Int32
) -> Int32 { standIn() }
@discardableResult
public func unsetenv(_ name: UnsafePointer<CChar>!) -> Int32 { standIn() }
@discardableResult
public func access(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> Int32 { standIn() }
@discardableResult
public func mkdtemp(_ path: UnsafeMutablePointer<CChar>!) -> UnsafeMutablePointer<CChar>! {
  standIn()
}
@discardableResult
public func sigemptyset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { standIn() }
@discardableResult
public func sigfillset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { standIn() }
@discardableResult
public func sigaddset(_ set: UnsafeMutablePointer<sigset_t>!, _ signal: Int32) -> Int32 {
  standIn()
}
@discardableResult
public func sigwait(_ set: UnsafePointer<sigset_t>!, _ signal: UnsafeMutablePointer<Int32>!)
  -> Int32
{ standIn() }
@discardableResult
public func pthread_sigmask(
  _ how: Int32, _ set: UnsafePointer<sigset_t>!, _ old: UnsafeMutablePointer<sigset_t>!
) -> Int32 { standIn() }
@discardableResult
public func signal(_ signal: Int32, _ handler: sig_t!) -> sig_t! { standIn() }
@discardableResult
public func dlopen(_ path: UnsafePointer<CChar>!, _ mode: Int32) -> UnsafeMutableRawPointer! {
  standIn()
}
@discardableResult
public func dlsym(_ handle: UnsafeMutableRawPointer!, _ name: UnsafePointer<CChar>!)
  -> UnsafeMutableRawPointer!
{ standIn() }
@discardableResult
public func dlclose(_ handle: UnsafeMutableRawPointer!) -> Int32 { standIn() }
@discardableResult
public func pthread_mutex_init(
  _ mutex: UnsafeMutablePointer<pthread_mutex_t>, _ attributes: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { standIn() }
@discardableResult
public func pthread_mutex_lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  standIn()
}
@discardableResult
public func pthread_mutex_unlock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  standIn()
}
@discardableResult
public func pthread_mutex_destroy(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 {
  standIn()
}
@discardableResult
public func atexit(_ body: @convention(c) () -> Void) -> Int32 { standIn() }
public func _exit(_ status: Int32) -> Never { standIn() }
@discardableResult
public func symlink(_ target: UnsafePointer<CChar>!, _ path: UnsafePointer<CChar>!) -> Int32 {
  standIn()
}
@discardableResult
public func mkfifo(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { standIn() }
@discardableResult
public func rename(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!) -> Int32 {
  standIn()
}
@discardableResult
public func lstat(_ path: UnsafePointer<CChar>!, _ found: UnsafeMutablePointer<stat>!) -> Int32 {
  standIn()
}
@discardableResult
public func umask(_ mode: mode_t) -> mode_t { standIn() }
@discardableResult
public func utimes(_ path: UnsafePointer<CChar>!, _ times: UnsafePointer<timeval>!) -> Int32 {
  standIn()
}
@discardableResult
public func mmap(
  _ address: UnsafeMutableRawPointer!, _ length: Int, _ protection: Int32, _ flags: Int32,
  _ fd: Int32, _ offset: off_t
) -> UnsafeMutableRawPointer! { standIn() }
@discardableResult
public func munmap(_ address: UnsafeMutableRawPointer!, _ length: Int) -> Int32 { standIn() }

func standIn() -> Never { fatalError("This function is a stand-in.") }
