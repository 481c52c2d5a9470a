// The constants have the values of XNU's headers: sys/errno.h, sys/fcntl.h, sys/poll.h, and others.
// https://developer.apple.com/documentation/kernel/bsd_kernel

// The following constants are declared in sys/errno.h: https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPERM: Int32 { 1 }
public var ENOENT: Int32 { 2 }
public var EINTR: Int32 { 4 }
public var EIO: Int32 { 5 }
public var EBADF: Int32 { 9 }
public var ENOMEM: Int32 { 12 }
public var EACCES: Int32 { 13 }
public var EEXIST: Int32 { 17 }
public var EXDEV: Int32 { 18 }
public var ENOTDIR: Int32 { 20 }
public var EISDIR: Int32 { 21 }
public var EINVAL: Int32 { 22 }
public var ENFILE: Int32 { 23 }
public var EMFILE: Int32 { 24 }
public var EFBIG: Int32 { 27 }
public var ENOSPC: Int32 { 28 }
public var EROFS: Int32 { 30 }
public var EPIPE: Int32 { 32 }
public var EAGAIN: Int32 { 35 }
public var EWOULDBLOCK: Int32 { 35 }
public var EINPROGRESS: Int32 { 36 }
public var ENOTSOCK: Int32 { 38 }
public var ECONNRESET: Int32 { 54 }
public var ELOOP: Int32 { 62 }
public var ENAMETOOLONG: Int32 { 63 }
public var EDQUOT: Int32 { 69 }

// The following constants are declared in sys/fcntl.h and sys/unistd.h. The manual pages of open,
// fcntl, flock, and lseek in section 2 describe the constants.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/open.2.html
public var O_RDONLY: Int32 { 0 }
public var O_WRONLY: Int32 { 1 }
public var O_RDWR: Int32 { 2 }
public var O_NONBLOCK: Int32 { 0x4 }
public var O_APPEND: Int32 { 0x8 }
public var O_NOFOLLOW: Int32 { 0x100 }
public var O_CREAT: Int32 { 0x200 }
public var O_TRUNC: Int32 { 0x400 }
public var O_EXCL: Int32 { 0x800 }
public var O_NOCTTY: Int32 { 0x2_0000 }
public var O_DIRECTORY: Int32 { 0x10_0000 }
public var O_CLOEXEC: Int32 { 0x100_0000 }
public var AT_FDCWD: Int32 { -2 }
public var AT_SYMLINK_NOFOLLOW: Int32 { 0x20 }
public var LOCK_SH: Int32 { 1 }
public var LOCK_EX: Int32 { 2 }
public var LOCK_NB: Int32 { 4 }
public var LOCK_UN: Int32 { 8 }
public var F_GETFD: Int32 { 1 }
public var F_SETFD: Int32 { 2 }
public var F_GETFL: Int32 { 3 }
public var F_SETFL: Int32 { 4 }
public var F_FULLFSYNC: Int32 { 51 }
public var FD_CLOEXEC: Int32 { 1 }
public var SEEK_SET: Int32 { 0 }
public var SEEK_CUR: Int32 { 1 }
public var SEEK_END: Int32 { 2 }

// The following constants are declared in sys/stat.h: https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/stat.2.html
public var S_IFMT: mode_t { 0o170000 }
public var S_IFREG: mode_t { 0o100000 }

// The following constants are declared in sys/poll.h, sys/resource.h, and sys/signal.h: https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/poll.2.html, getrlimit.2.html, and
// man3/signal.3.html
public var POLLIN: Int32 { 1 }
public var POLLPRI: Int32 { 2 }
public var POLLOUT: Int32 { 4 }
public var POLLERR: Int32 { 8 }
public var POLLHUP: Int32 { 0x10 }
public var POLLNVAL: Int32 { 0x20 }
public var RLIMIT_CPU: Int32 { 0 }
public var RLIMIT_FSIZE: Int32 { 1 }
public var RLIMIT_NOFILE: Int32 { 8 }
public var SIGPIPE: Int32 { 13 }
public var SIGINT: Int32 { 2 }
public var SIGTERM: Int32 { 15 }

// The following constants are declared in signal.h, dlfcn.h, and unistd.h: https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/signal.3.html, man3/dlopen.3.html, and man2/access.2.html
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }
public var SIG_DFL: sig_t? { nil }
public var SIG_BLOCK: Int32 { 1 }
public var SIG_UNBLOCK: Int32 { 2 }
public var SIGHUP: Int32 { 1 }
public var SIGKILL: Int32 { 9 }
public var SIGSTOP: Int32 { 17 }
public var SIGCONT: Int32 { 19 }
public var SIGXFSZ: Int32 { 25 }
public var RTLD_NOW: Int32 { 2 }
public var R_OK: Int32 { 4 }
public var X_OK: Int32 { 1 }
public var W_OK: Int32 { 2 }
public var STDIN_FILENO: Int32 { 0 }
public var STDOUT_FILENO: Int32 { 1 }
public var STDERR_FILENO: Int32 { 2 }

// The following constants are declared in sys/mman.h: https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mmap.2.html
public var PROT_READ: Int32 { 1 }
public var PROT_WRITE: Int32 { 2 }
public var MAP_SHARED: Int32 { 1 }
public var MAP_FAILED: UnsafeMutableRawPointer! { UnsafeMutableRawPointer(bitPattern: -1) }
