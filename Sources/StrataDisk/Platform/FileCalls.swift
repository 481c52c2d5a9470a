import Foundation

/// The disk level's system calls that differ between platforms.
package enum FileCalls {
  /// Whether the system terminates a suspended process that holds a file lock in a shared
  /// container.
  static var endsSuspendedLockHolders: Bool {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      true
    #else
      false
    #endif
  }

  /// Returns the modification time of a file.
  static func modification(of found: stat) -> timespec {
    #if canImport(Darwin)
      found.st_mtimespec
    #else
      found.st_mtim
    #endif
  }

  /// Returns the time of the last change of a file's status, such as a new link to the file.
  static func change(of found: stat) -> timespec {
    #if canImport(Darwin)
      found.st_ctimespec
    #else
      found.st_ctim
    #endif
  }

  /// Flushes the written bytes of a file to the storage device. Returns -1 if that fails.
  package static func synchronize(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
      // Some file systems support only `fsync`, which can leave the bytes in the drive's cache.
      fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file)
    #else
      fdatasync(file)
    #endif
  }

  /// Finds the inode of a file, without following a link. Returns -1 if that fails.
  ///
  /// Once `fstatat` has read a file's times, Linux stores a new time at the next write, and this makes
  /// the write much slower. `statx` can return the inode alone.
  static func inode(_ directory: Int32, _ name: String, _ inode: inout UInt64) -> Int32 {
    #if os(Linux)
      if let statx {
        return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { found in
          let result = statx(directory, name, AT_SYMLINK_NOFOLLOW, 0x100, found.baseAddress!)
          if result == 0 { inode = found.load(fromByteOffset: 32, as: UInt64.self) }
          return result
        }
      }
    #endif
    var found = stat()
    let result = fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW)
    inode = UInt64(found.st_ino)
    return result
  }

  #if os(Linux)
    private typealias Statx =
      @convention(c) (Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer) -> Int32
    /// The function `statx`, which the C library doesn't declare for Swift.
    private static let statx: Statx? = dlsym(nil, "statx").map { unsafeBitCast($0, to: Statx.self) }
  #endif

  /// Returns how many free bytes of the file's volume this user may take, or `nil` if that's
  /// unknown.
  static func room(on file: Int32) -> Int? {
    var found = statvfs()
    guard fstatvfs(file, &found) == 0, found.f_blocks > 0 else { return nil }
    let (bytes, overflow) = Int(clamping: found.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: found.f_frsize))
    return overflow ? nil : bytes
  }

  /// Announces a capacity to other processes, with a shared lock on one byte of a file. The offset
  /// of the byte is the capacity. This lock ends when the file is closed.
  ///
  /// The earlier announcement ends only after the new one has begun. Otherwise, a process that
  /// looks in between could evict values that this process wants to keep.
  static func ask(_ file: Int32, for capacity: Int) {
    setLock(file, F_RDLCK, from: capacity, length: 1)
    if capacity > 0 { setLock(file, F_UNLCK, from: 0, length: capacity) }
    if capacity < .max { setLock(file, F_UNLCK, from: capacity + 1, length: 0) }
  }

  /// Returns the largest capacity above `capacity` that another process announces, or `nil` if none
  /// does.
  static func largestAsk(_ file: Int32, above capacity: Int) -> Int? {
    var largest: Int?
    // Each call finds the lock of one other process.
    for _ in 0..<1_000 {
      var lock = lockRange(F_WRLCK, from: (largest ?? capacity) &+ 1, length: 0)
      guard fcntl(file, getLock, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { break }
      largest = Int(lock.l_start)
    }
    return largest
  }

  private static func setLock(_ file: Int32, _ type: Int32, from start: Int, length: Int) {
    var lock = lockRange(type, from: start, length: length)
    _ = fcntl(file, setLockOfFile, &lock)
  }

  private static func lockRange(_ type: Int32, from start: Int, length: Int) -> flock {
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(type), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (off_t(start), off_t(length))
    return lock
  }

  #if canImport(Darwin)
    // The locks of an open file (`F_OFD_SETLK`), unlike the locks of a process, also work between
    // two logs of one process.
    private static let (setLockOfFile, getLock): (Int32, Int32) = (90, 92)
  #else
    private static let (setLockOfFile, getLock): (Int32, Int32) = (37, 36)
  #endif

  /// The maximum length of a file in bytes, and the maximum number of files that this process can
  /// have open.
  static var limits: (fileLength: Int, descriptors: Int) {
    (softLimit(fileLengthLimit), softLimit(descriptorLimit))
  }

  private static func softLimit(_ resource: Resource) -> Int {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
  }

  #if canImport(Glibc)
    private typealias Resource = __rlimit_resource_t
    private static var fileLengthLimit: Resource { Resource(RLIMIT_FSIZE.rawValue) }
    private static var descriptorLimit: Resource { Resource(RLIMIT_NOFILE.rawValue) }
  #else
    private typealias Resource = Int32
    private static var fileLengthLimit: Resource { RLIMIT_FSIZE }
    private static var descriptorLimit: Resource { RLIMIT_NOFILE }
  #endif
}
