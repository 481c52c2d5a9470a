import Foundation

/// The system's cache of file pages.
enum PageCache {
  /// Drops the pages of a file. Returns `false` if the system has no call that drops pages.
  static func drop(_ file: FileHandle) -> Bool {
    #if os(Linux)
      fsync(file.fileDescriptor)
      return posix_fadvise(file.fileDescriptor, 0, 0, POSIX_FADV_DONTNEED) == 0
    #else
      return false
    #endif
  }
}
