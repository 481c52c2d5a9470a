import Foundation

/// A failure of a disk level, with a description that suggests a remedy.
///
/// Writes fail with this error, and so do functions that open a storage. A `get` never fails with
/// it: if the directory can't be read, the get is a miss, so a sum reads the next level.
public enum DiskError: Error, Equatable, Sendable {
  /// The directory couldn't be created, opened, or changed. The code is the system's `errno`.
  ///
  /// The code is `EWOULDBLOCK` if another process was stopped while it held a lock. It's the same
  /// if two processes use the directory, and one of them requires exclusive use.
  case unavailable(directory: String, operation: String, code: Int32)
  /// The volume is full, or the user's quota is used up, even after the level has evicted values.
  /// Gets still find the remaining values.
  case full(directory: String, bytes: Int)
  /// A record (key, value, and 72 bytes) is too large. It may have at most half of the capacity,
  /// half of the system's limit on file sizes, and 2 GiB minus 64 KiB.
  case valueTooLarge(bytes: Int, capacity: Int)
}

extension DiskError: CustomStringConvertible, LocalizedError {
  /// A description of the failure, with a remedy.
  public var description: String {
    switch self {
    case .unavailable(let directory, let operation, let code):
      "the disk cache can't use '\(directory)': \(operation) failed with "
        + "\"\(String(cString: strerror(code)))\" (\(code)). \(DiskError.advice(for: code))"
    case .full(let directory, let bytes):
      "the volume of the disk cache '\(directory)' has no room for "
        + (bytes > 0 ? "a record of \(bytes) bytes" : "a removal")
        + ", even after old records were evicted. Free some space, or pass a directory on another "
        + "volume."
    case .valueTooLarge(let bytes, let capacity)
    where bytes <= min(capacity / 2, RecordHeader.longest):
      "a record of \(bytes) bytes is larger than half of the largest file that this process can "
        + "write. Raise the limit (ulimit -f), or divide the value."
    case .valueTooLarge(let bytes, let capacity) where bytes <= capacity / 2:
      "a record of \(bytes) bytes is larger than the maximum of a disk cache, "
        + "\(RecordHeader.longest) bytes. Divide the value, or store it in a level of your own."
    case .valueTooLarge(let bytes, let capacity):
      "a record of \(bytes) bytes is larger than half of a disk cache of \(capacity) bytes. Raise the "
        + "capacity, or divide the value."
    }
  }

  /// The same text as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }

  private static func advice(for code: Int32) -> String {
    switch code {
    case EACCES, EPERM:
      "Make this user the owner of the directory, with write permission, or pass another directory."
    case EROFS:
      "The volume is read-only: mount it as writable, or pass another directory."
    case ENOTDIR, ELOOP, EEXIST, EISDIR:
      "Another file, directory or link has the name: remove it, or pass another directory."
    case EMFILE, ENFILE:
      "Too many files are open: close some, or raise the limit (ulimit -n)."
    case EINVAL:
      "The directory isn't a path on this system. Pass another file URL, such as "
        + "URL(fileURLWithPath: \"/data/x\"), whose path contains no NUL character."
    case ENAMETOOLONG:
      "The path is too long for this system: pass another file URL."
    case ENOSPC, EDQUOT:
      "Free some space, or pass a directory on another volume."
    case ENOENT:
      "A file is missing: store it again, or pass the URL of a file that exists."
    case EWOULDBLOCK:
      "Another process holds a lock, because it was stopped, or because one of the two processes "
        + "opened the directory with isSingleProcess. Resume or end that process, or pass another directory."
    case EFBIG:
      "The process isn't allowed to write files of this length: raise the limit (ulimit -f)."
    default:
      "The next write tries again. If the failure persists, pass another directory."
    }
  }
}
