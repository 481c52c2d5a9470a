@_exported import DarwinLocks
import Glibc

// Locks of ranges of files, and the free room of volumes. These stand-ins have working
// implementations, so tests can call them.

// The following constants are declared in sys/fcntl.h.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fcntl.2.html
public var F_RDLCK: Int32 { 1 }
public var F_UNLCK: Int32 { 2 }
public var F_WRLCK: Int32 { 3 }

/// The types of locks in the order of Glibc's numbers.
private let types = [F_RDLCK, F_WRLCK, F_UNLCK]

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/fcntl.2.html
///
/// Only the commands `F_OFD_SETLK` (90) and `F_OFD_GETLK` (92).
public func fcntl(_ fd: Int32, _ cmd: Int32, _ pointer: UnsafeMutableRawPointer) -> Int32 {
  let lock = pointer.assumingMemoryBound(to: DarwinLocks.flock.self)
  var real = Glibc.flock()
  real.l_type = Int16(types.firstIndex(of: Int32(lock.pointee.l_type))!)
  real.l_whence = lock.pointee.l_whence
  (real.l_start, real.l_len) = (Int(lock.pointee.l_start), Int(lock.pointee.l_len))
  let result = Glibc.fcntl(fd, cmd == 90 ? 37 : 36, &real)
  lock.pointee.l_type = Int16(types[Int(real.l_type)])
  (lock.pointee.l_start, lock.pointee.l_len) = (off_t(real.l_start), off_t(real.l_len))
  return result
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/statvfs.3.html
public struct statvfs {
  public var f_bsize: UInt = 0
  public var f_frsize: UInt = 0
  public var f_blocks: UInt32 = 0
  public var f_bfree: UInt32 = 0
  public var f_bavail: UInt32 = 0

  public init() {}
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/statvfs.3.html
@discardableResult
public func fstatvfs(_ fd: Int32, _ found: UnsafeMutablePointer<statvfs>!) -> Int32 {
  var real = Glibc.statvfs()
  let result = Glibc.fstatvfs(fd, &real)
  (found.pointee.f_bsize, found.pointee.f_frsize) = (UInt(real.f_bsize), UInt(real.f_frsize))
  found.pointee.f_blocks = UInt32(clamping: real.f_blocks)
  found.pointee.f_bfree = UInt32(clamping: real.f_bfree)
  found.pointee.f_bavail = UInt32(clamping: real.f_bavail)
  return result
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/memchr.3.html
public func memchr(
  _ bytes: UnsafeRawPointer!, _ byte: Int32, _ count: Int
) -> UnsafeMutableRawPointer! {
  Glibc.memchr(bytes, byte, count)
}
