import Foundation

/// Why the disk level could not do what it was asked; its description says what helps.
///
/// Only `set`, `remove` and `clear` fail with it. A `get` that cannot read is a miss, so that the
/// next level answers.
public enum DiskError: Error, Equatable, Sendable {
  /// The folder could not be made, opened or changed; `code` is the system's `errno`.
  case unavailable(directory: String, operation: String, code: Int32)
  /// The volume is full (or the user's quota used up) even after old records were evicted.
  case full(directory: String, bytes: Int)
  /// The record, value with key and header, is larger than half of what the level may hold, or than
  /// two GiB.
  case valueTooLarge(bytes: Int, capacity: Int)
}

extension DiskError: CustomStringConvertible, LocalizedError {
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .unavailable(let directory, let operation, let code):
      "the disk cache cannot use '\(directory)': \(operation) failed with "
        + "\"\(String(cString: strerror(code)))\" (\(code)). \(DiskError.advice(for: code))"
    case .full(let directory, let bytes):
      "the volume of the disk cache '\(directory)' has no room for "
        + (bytes > RecordHeader.length ? "a record of \(bytes) bytes" : "a note of what is gone")
        + ", even after old records were evicted. Free some space, or pass a directory on another "
        + "volume."
    case .valueTooLarge(let bytes, let capacity) where bytes <= capacity / 2:
      "a record of \(bytes) bytes is larger than the largest that a disk cache holds, of "
        + "\(RecordHeader.longest) bytes. Keep values of this size out with a conditioned level."
    case .valueTooLarge(let bytes, let capacity):
      "a record of \(bytes) bytes is larger than half of a disk cache of \(capacity) bytes. Raise the "
        + "capacity, or keep values of this size out with a conditioned level."
    }
  }

  /// The same as `description`, so that `localizedDescription` says it too.
  public var errorDescription: String? { description }

  private static func advice(for code: Int32) -> String {
    switch code {
    case EACCES, EPERM:
      "Give this user, as its owner, permission to write there, or pass another directory."
    case EROFS:
      "The volume is read-only: mount it writable, or pass another directory."
    case ENOTDIR, ELOOP, EEXIST, EISDIR:
      "A file, folder or link is in the way: remove it, or pass another directory."
    case EMFILE, ENFILE:
      "Too many files are open: close some, or raise the limit (ulimit -n)."
    case EINVAL, ENAMETOOLONG:
      "The path is not one the system accepts: pass another directory."
    default:
      "The next write tries again; if the failure stays, pass another directory."
    }
  }
}
