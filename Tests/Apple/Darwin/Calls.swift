// The functions have the types that Swift imports from XNU's headers and libc. Each of these stops the
// program: the checks compile the callers, and don't run them.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/

@discardableResult
public func close(_ fd: Int32) -> Int32 { standIn() }
@discardableResult
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { standIn() }
@discardableResult
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
  standIn()
}
@discardableResult
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { standIn() }
@discardableResult
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t)
  -> Int32
{ standIn() }
@discardableResult
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { standIn() }
@discardableResult
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
public func socket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32 { standIn() }
@discardableResult
public func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32
{ standIn() }
@discardableResult
public func listen(_ socket: Int32, _ backlog: Int32) -> Int32 { standIn() }
@discardableResult
public func accept(
  _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
  _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { standIn() }
@discardableResult
public func connect(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t)
  -> Int32
{ standIn() }
@discardableResult
public func getsockname(
  _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
  _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { standIn() }
@discardableResult
public func setsockopt(
  _ socket: Int32, _ level: Int32, _ name: Int32, _ value: UnsafeRawPointer!, _ length: socklen_t
) -> Int32 { standIn() }
@discardableResult
public func recv(_ socket: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32)
  -> Int
{ standIn() }
@discardableResult
public func send(_ socket: Int32, _ bytes: UnsafeRawPointer!, _ count: Int, _ flags: Int32) -> Int {
  standIn()
}
@discardableResult
public func shutdown(_ socket: Int32, _ how: Int32) -> Int32 { standIn() }
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
  _ mutex: UnsafeMutablePointer<pthread_mutex_t>!, _ attributes: UnsafeRawPointer!
) -> Int32 { standIn() }
@discardableResult
public func pthread_mutex_lock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>!) -> Int32 {
  standIn()
}
@discardableResult
public func pthread_mutex_unlock(_ mutex: UnsafeMutablePointer<pthread_mutex_t>!) -> Int32 {
  standIn()
}
@discardableResult
public func pthread_mutex_destroy(_ mutex: UnsafeMutablePointer<pthread_mutex_t>!) -> Int32 {
  standIn()
}
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

private func standIn() -> Never { fatalError("This function is a stand-in.") }
