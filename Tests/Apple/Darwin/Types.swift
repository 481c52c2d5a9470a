// The structures in this file contain only the fields that the library uses. The fields have the
// same types as in XNU's headers.
// https://developer.apple.com/documentation/kernel/bsd_kernel

// See https://developer.apple.com/documentation/kernel/mode_t
// and Apple's pages about the other types.
public typealias mode_t = UInt16
public typealias dev_t = Int32
public typealias ino_t = UInt64
public typealias nlink_t = UInt16
public typealias off_t = Int64
public typealias uid_t = UInt32
public typealias pid_t = Int32
public typealias nfds_t = UInt32
public typealias rlim_t = UInt64
public typealias useconds_t = UInt32
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_key_create.3.html
public typealias pthread_key_t = UInt

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/sigaction.2.html
public typealias sigset_t = UInt32
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/signal.3.html
public typealias sig_t = @convention(c) (Int32) -> Void

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_mutex_init.3.html
public struct pthread_mutex_t {
  public init() {}
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pthread_mutexattr.3.html
public struct pthread_mutexattr_t {
  public init() {}
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/utimes.2.html
public struct timespec {
  public var tv_sec = 0
  public var tv_nsec = 0

  public init() {}
  public init(tv_sec: Int, tv_nsec: Int) { (self.tv_sec, self.tv_nsec) = (tv_sec, tv_nsec) }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/gettimeofday.2.html
public struct timeval {
  public var tv_sec: Int
  public var tv_usec: Int32

  public init() { (tv_sec, tv_usec) = (0, 0) }
  public init(tv_sec: Int, tv_usec: Int32) { (self.tv_sec, self.tv_usec) = (tv_sec, tv_usec) }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/stat.2.html
public struct stat {
  public var st_dev: dev_t = 0
  public var st_mode: mode_t = 0
  public var st_nlink: nlink_t = 0
  public var st_ino: ino_t = 0
  public var st_uid: uid_t = 0
  public var st_mtimespec = timespec()
  public var st_ctimespec = timespec()
  public var st_size: off_t = 0

  public init() {}
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/write.2.html
public struct iovec {
  public var iov_base: UnsafeMutableRawPointer!
  public var iov_len: Int

  public init(iov_base: UnsafeMutableRawPointer!, iov_len: Int) {
    (self.iov_base, self.iov_len) = (iov_base, iov_len)
  }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/poll.2.html
public struct pollfd {
  public var fd: Int32
  public var events: Int16
  public var revents: Int16

  public init(fd: Int32, events: Int16, revents: Int16) {
    (self.fd, self.events, self.revents) = (fd, events, revents)
  }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/getrlimit.2.html
public struct rlimit {
  public var rlim_cur: rlim_t = 0
  public var rlim_max: rlim_t = 0

  public init() {}
  public init(rlim_cur: rlim_t, rlim_max: rlim_t) {
    (self.rlim_cur, self.rlim_max) = (rlim_cur, rlim_max)
  }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/directory.3.html
public struct DIR {}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man5/dir.5.html
///
/// On Apple's platforms, the name is an array of 1,024 characters.
public struct dirent {
  public var d_name: (CChar, CChar, CChar, CChar)
}

/// https://developer.apple.com/documentation/os/os_unfair_lock
public struct os_unfair_lock {
  var isLocked: UInt32 = 0

  public init() {}
}
