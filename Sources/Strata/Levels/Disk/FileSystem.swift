/// The calls by which the disk level reaches files: all of them, and nothing else does.
///
/// It is a value of closures, so that a test can make the n-th call fail, write short or lose data.
/// Everything but a folder is reached relative to a descriptor of its folder, so that nothing which
/// is swapped on the way there, a link above all, changes where a call ends up. No call follows a
/// link in the last component of its path.
struct FileSystem: Sendable {
  /// The path with every link in it resolved, or `nil` if nothing is there.
  var realPath: @Sendable (_ path: String) -> String?
  /// Makes a folder with mode 0700; its parent must exist.
  var makeFolder: @Sendable (_ path: String) throws(FileSystemError) -> Void
  /// Opens a folder; fails if the path ends in a link or in anything but a folder.
  var openFolder: @Sendable (_ path: String) throws(FileSystemError) -> Descriptor
  /// The names in a folder, in any order, without `.` and `..`.
  var names: @Sendable (_ folder: Descriptor) throws(FileSystemError) -> [String]
  /// Opens for reading; never waits, not even for the other end of a pipe.
  var open: @Sendable (_ folder: Descriptor, _ name: String) throws(FileSystemError) -> Descriptor
  /// Makes a file with mode 0600, open for writing; fails if the name is taken.
  var create: @Sendable (_ folder: Descriptor, _ name: String) throws(FileSystemError) -> Descriptor
  /// Takes the lock that dies with its process, or fails at once if another holds it.
  var lock: @Sendable (_ file: Descriptor) throws(FileSystemError) -> Void
  var status: @Sendable (_ file: Descriptor) throws(FileSystemError) -> FileStatus
  var statusOf:
    @Sendable (_ folder: Descriptor, _ name: String) throws(FileSystemError) -> FileStatus
  /// Reads into the bytes from a position on, and returns how many; zero at the end of the file.
  var read:
    @Sendable (_ file: Descriptor, _ bytes: inout [UInt8], _ position: Int)
      throws(FileSystemError) -> Int
  /// Writes some of the bytes and returns how many.
  var write:
    @Sendable (_ file: Descriptor, _ bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int
  /// Sets the time of last modification, in nanoseconds since 1970.
  var setTime: @Sendable (_ file: Descriptor, _ time: Int64) throws(FileSystemError) -> Void
  /// Renames within a folder, replacing what has the new name in one step.
  var rename:
    @Sendable (_ folder: Descriptor, _ from: String, _ to: String) throws(FileSystemError) -> Void
  /// Removes a name; never a folder.
  var unlink: @Sendable (_ folder: Descriptor, _ name: String) throws(FileSystemError) -> Void
  /// Closes; the descriptor is gone even if this fails.
  var close: @Sendable (_ file: Descriptor) throws(FileSystemError) -> Void
  /// The wall clock, in nanoseconds since 1970.
  var now: @Sendable () -> Int64
}

typealias Descriptor = Int32

/// What failed, as the operating system names it.
struct FileSystemError: Error, Equatable {
  var operation: String
  var code: Int32
}

/// What the disk level wants to know of a file before it trusts it.
struct FileStatus: Equatable, Sendable {
  /// A regular file (not a link, pipe, folder or device) that belongs to this user.
  var isOwnFile: Bool
  /// Whether it belongs to this user, whatever it is.
  var isOwn: Bool
  var size: Int
  /// Time of last modification, in nanoseconds since 1970.
  var time: Int64
}
