import Foundation

/// The system's cache of file pages.
enum PageCache {
  /// Drops the pages of a file from the system's page cache. Returns `false` if the system doesn't
  /// support this operation.
  static func drop(_ file: FileHandle) -> Bool {
    #if os(Linux)
      fsync(file.fileDescriptor)
      return posix_fadvise(file.fileDescriptor, 0, 0, POSIX_FADV_DONTNEED) == 0
    #else
      return false
    #endif
  }
}
