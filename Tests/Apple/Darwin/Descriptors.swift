import Glibc

// These functions use Linux file descriptors, so tests can run the Redis client on Linux. Linux and
// Apple's platforms have different values for error codes, descriptor flags, and options.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var errno: Int32 {
  get { darwinErrors[Glibc.errno] ?? Glibc.errno }
  set { Glibc.errno = linuxError(newValue) }
}

private let darwinErrors: [Int32: Int32] = [
  Glibc.EAGAIN: EAGAIN, Glibc.EINPROGRESS: EINPROGRESS, Glibc.ENOTSOCK: ENOTSOCK,
  Glibc.ECONNRESET: ECONNRESET, Glibc.ELOOP: ELOOP, Glibc.ENAMETOOLONG: ENAMETOOLONG,
  Glibc.EDQUOT: EDQUOT,
]

private func linuxError(_ code: Int32) -> Int32 {
  darwinErrors.first { $0.value == code }?.key ?? code
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/strerror.3.html
public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! {
  Glibc.strerror(linuxError(code))
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/close.2.html
@discardableResult
public func close(_ fd: Int32) -> Int32 { Glibc.close(fd) }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fcntl.2.html
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 {
  let flags = Glibc.fcntl(fd, cmd)
  return cmd == F_GETFL && flags & Glibc.O_NONBLOCK != 0 ? O_NONBLOCK : flags
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fcntl.2.html
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 {
  let isNonblocking = cmd == F_SETFL && value & O_NONBLOCK != 0
  return Glibc.fcntl(fd, cmd, isNonblocking ? Glibc.O_NONBLOCK : value)
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/read.2.html
@discardableResult
public func read(_ fd: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int) -> Int {
  Glibc.read(fd, bytes, count)
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/write.2.html
@discardableResult
public func write(_ fd: Int32, _ bytes: UnsafeRawPointer!, _ count: Int) -> Int {
  Glibc.write(fd, bytes, count)
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/pipe.2.html
@discardableResult
public func pipe(_ ends: UnsafeMutablePointer<Int32>!) -> Int32 { Glibc.pipe(ends) }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/poll.2.html
@discardableResult
public func poll(_ files: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ timeout: Int32) -> Int32
{
  files.withMemoryRebound(to: Glibc.pollfd.self, capacity: Int(count)) {
    Glibc.poll($0, Glibc.nfds_t(count), timeout)
  }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/socketpair.2.html
@discardableResult
public func socketpair(
  _ domain: Int32, _ type: Int32, _ protocol: Int32, _ ends: UnsafeMutablePointer<Int32>!
) -> Int32 { Glibc.socketpair(domain, type, `protocol`, ends) }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/recv.2.html
@discardableResult
public func recv(_ socket: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32)
  -> Int
{ Glibc.recv(socket, bytes, count, flags) }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/send.2.html
@discardableResult
public func send(_ socket: Int32, _ bytes: UnsafeRawPointer!, _ count: Int, _ flags: Int32) -> Int {
  Glibc.send(socket, bytes, count, Int32(MSG_NOSIGNAL))
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/shutdown.2.html
@discardableResult
public func shutdown(_ socket: Int32, _ how: Int32) -> Int32 { Glibc.shutdown(socket, how) }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getsockopt.2.html
///
/// The stand-in reports that no option is set and that no error occurred.
@discardableResult
public func getsockopt(
  _ socket: Int32, _ level: Int32, _ name: Int32, _ value: UnsafeMutableRawPointer!,
  _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { 0 }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getsockopt.2.html
///
/// The stand-in ignores the option.
@discardableResult
public func setsockopt(
  _ socket: Int32, _ level: Int32, _ name: Int32, _ value: UnsafeRawPointer!, _ length: socklen_t
) -> Int32 { 0 }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/sigprocmask.2.html
///
/// The stand-in blocks no signal.
@discardableResult
public func sigfillset(_ set: UnsafeMutablePointer<sigset_t>!) -> Int32 { 0 }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/pthread_sigmask.2.html
@discardableResult
public func pthread_sigmask(
  _ how: Int32, _ set: UnsafePointer<sigset_t>!, _ old: UnsafeMutablePointer<sigset_t>!
) -> Int32 { 0 }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_create.3.html
public struct pthread_attr_t {}
@discardableResult
public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>!, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  var id = Glibc.pthread_t()
  let call = ThreadCall(body, argument)
  let code = Glibc.pthread_create(
    &id, nil,
    { Unmanaged<ThreadCall>.fromOpaque($0!).takeRetainedValue().run() },
    Unmanaged.passRetained(call).toOpaque())
  thread.pointee = code == 0 ? pthread_t(bitPattern: id) : nil
  return code
}
private final class ThreadCall {
  let body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
  let argument: UnsafeMutableRawPointer?

  init(
    _ body: @escaping @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
  ) { (self.body, self.argument) = (body, argument) }

  func run() -> UnsafeMutableRawPointer? { argument.flatMap { body($0) } }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_detach.3.html
@discardableResult
public func pthread_detach(_ thread: pthread_t) -> Int32 {
  Glibc.pthread_detach(Glibc.pthread_t(bitPattern: thread))
}
