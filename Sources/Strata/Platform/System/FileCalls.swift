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

  /// Flushes the written bytes of a file to the storage device. Returns -1 on failure.
  package static func synchronize(_ file: Int32) -> Int32 {
    #if canImport(Darwin)
      // Some file systems support only `fsync`, which can leave the bytes in the drive's cache.
      fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file)
    #else
      fdatasync(file)
    #endif
  }

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
