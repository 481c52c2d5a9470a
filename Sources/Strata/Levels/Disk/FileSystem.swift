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
  /// Makes a file with mode 0600, open for appending; fails if the name is taken.
  var create: @Sendable (_ folder: Descriptor, _ name: String) throws(FileSystemError) -> Descriptor
  /// Takes the lock that dies with its process, or fails at once if another holds it.
  var lock: @Sendable (_ file: Descriptor) throws(FileSystemError) -> Void
  var status: @Sendable (_ file: Descriptor) throws(FileSystemError) -> FileStatus
  var statusOf:
    @Sendable (_ folder: Descriptor, _ name: String) throws(FileSystemError) -> FileStatus
  /// Removes a name; never a folder.
  var unlink: @Sendable (_ folder: Descriptor, _ name: String) throws(FileSystemError) -> Void
  /// Closes; the descriptor is gone even if this fails.
  var close: @Sendable (_ file: Descriptor) throws(FileSystemError) -> Void
  /// Opens for appending alone: every write lands at the end, whoever else writes.
  var openForAppending:
    @Sendable (_ folder: Descriptor, _ name: String) throws(FileSystemError) -> Descriptor
  /// What a path ends in, itself and not what it leads to.
  var statusAt: @Sendable (_ path: String) throws(FileSystemError) -> FileStatus
  /// How long the file is now, by whomever it was written. Moves the position of the descriptor.
  var end: @Sendable (_ file: Descriptor) throws(FileSystemError) -> Int
  /// The position of the descriptor: after an append, where that ended.
  var position: @Sendable (_ file: Descriptor) throws(FileSystemError) -> Int
  /// Reads from a position on, without moving the descriptor's own, and returns how many bytes.
  var read:
    @Sendable (_ file: Descriptor, _ into: UnsafeMutableRawBufferPointer, _ position: Int)
      throws(FileSystemError) -> Int
  /// Reads into both parts, one after the other, in one call.
  var readBoth:
    @Sendable (
      _ file: Descriptor, _ head: UnsafeMutableRawBufferPointer,
      _ tail: UnsafeMutableRawBufferPointer, _ position: Int
    ) throws(FileSystemError) -> Int
  /// Appends both parts in one call, as one piece; returns how many bytes of it were taken.
  var append:
    @Sendable (_ file: Descriptor, _ head: UnsafeRawBufferPointer, _ tail: UnsafeRawBufferPointer)
      throws(FileSystemError) -> Int
  /// Waits until the file's bytes have reached the device.
  var sync: @Sendable (_ file: Descriptor) throws(FileSystemError) -> Void
  /// Makes a file longer, by zeros that take no room where the file system knows holes.
  var lengthen: @Sendable (_ file: Descriptor, _ length: Int) throws(FileSystemError) -> Void
  /// Lets a millisecond pass.
  var pause: @Sendable () -> Void
  /// The wall clock, in milliseconds since 1970.
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
  /// How many names it has; none once it was removed.
  var links = 1
  var identity = FileIdentity(device: 0, inode: 0)
}

/// What tells one file from every other that exists at the same time.
struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var inode: UInt64
}
