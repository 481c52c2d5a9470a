import Foundation

/// The disk level's system calls, as closures that tests can replace to inject faults.
///
/// File names are relative to an open directory. So if a link replaces the directory, calls still
/// use the original one. And calls never follow a link in the last component of a path.
struct FileSystem: Sendable {
  /// Returns the path with every link resolved, or `nil` if the path doesn't exist.
  var realPath: @Sendable (_ path: String) -> String?
  /// Creates a directory with mode 0700 in an existing parent.
  var makeDirectory: @Sendable (_ path: String) throws(FileError) -> Void
  /// Returns the names of a directory's entries in any order, without `.` and `..`.
  var names: @Sendable (_ directory: Descriptor) throws(FileError) -> [String]
  /// Opens a file. For a named pipe, the call doesn't wait for another process.
  var open:
    @Sendable (_ directory: Descriptor, _ name: String, _ mode: OpenMode) throws(FileError)
      -> Descriptor
  /// Closes a descriptor.
  var close: @Sendable (_ file: Descriptor) -> Void
  /// Removes a file's name from a directory. It must not be the name of a subdirectory.
  var unlink: @Sendable (_ directory: Descriptor, _ name: String) throws(FileError) -> Void
  /// Gives a file another name in its directory. A file that has the name is replaced in one step.
  var rename:
    @Sendable (_ directory: Descriptor, _ name: String, _ new: String) throws(FileError) -> Void
  /// Adds a file of the same volume to a directory, under a name that is free. The new name and the
  /// old one share the bytes.
  var link:
    @Sendable (_ path: String, _ directory: Descriptor, _ name: String) throws(FileError) -> Void
  /// Makes the current time the time of a file's last write.
  var touch: @Sendable (_ directory: Descriptor, _ name: String) throws(FileError) -> Void
  /// Takes or releases the `flock` lock of a file, which is also released when the descriptor is
  /// closed. Fails with `EWOULDBLOCK` if another process or descriptor holds the lock.
  var lock: @Sendable (_ file: Descriptor, _ operation: Int32) throws(FileError) -> Void
  var status: @Sendable (_ file: Descriptor) throws(FileError) -> FileStatus
  var statusOf: @Sendable (_ directory: Descriptor, _ name: String) throws(FileError) -> FileStatus
  /// Returns the inode of a file, without following a link. Unlike `statusOf`, it doesn't read the
  /// file's times: on Linux, that would make the next write slower.
  var inode: @Sendable (_ directory: Descriptor, _ name: String) throws(FileError) -> UInt64
  /// Returns how many bytes this process can add to a volume, or `nil` if that's unknown.
  var room: @Sendable (_ directory: Descriptor) -> Int?
  /// Announces to other processes the capacity that this process requests, until the file is
  /// closed.
  var ask: @Sendable (_ file: Descriptor, _ capacity: Int) -> Void
  /// Returns the largest capacity above `capacity` that another process requests, or `nil` if none
  /// does.
  var largestAsk: @Sendable (_ file: Descriptor, _ capacity: Int) -> Int?
  /// Returns the current length of a file, and moves the descriptor's position to the end.
  var end: @Sendable (_ file: Descriptor) throws(FileError) -> Int
  /// Returns a descriptor's position. Appending moves it to the end of the new bytes.
  var position: @Sendable (_ file: Descriptor) throws(FileError) -> Int
  /// Reads bytes at an offset without moving the position. Returns the number of bytes read.
  var read:
    @Sendable (_ file: Descriptor, _ into: UnsafeMutableRawBufferPointer, _ position: Int)
      throws(FileError) -> Int
  /// Appends the three parts of a record in one system call. Returns the number of bytes written.
  var append: @Sendable (_ file: Descriptor, _ parts: RecordParts) throws(FileError) -> Int
  /// Waits until the bytes of a file are on the device.
  var sync: @Sendable (_ file: Descriptor) throws(FileError) -> Void
  /// Extends a file with zeros, which take no space if the file system supports sparse files.
  var lengthen: @Sendable (_ file: Descriptor, _ length: Int) throws(FileError) -> Void
  var pause: @Sendable (_ microseconds: UInt32) -> Void
  /// Returns the wall-clock time in milliseconds since 1970.
  var now: @Sendable () -> Int64
  /// Returns this process's maximum file length and maximum number of descriptors.
  var limits: @Sendable () -> (fileLength: Int, descriptors: Int)
}

typealias Descriptor = Int32

/// The ways to open a file.
enum OpenMode: String, Sendable {
  /// Opens a directory. Fails if the path names a link or a file.
  case directory
  case read
  /// Opens a file for appending. Even if other processes are writing, each write appends its bytes.
  case append
  /// Creates a file with mode 0600 for appending. Fails if the name exists.
  case create
  /// Opens a file to lock it, and creates it with mode 0600 if necessary.
  case lock

  var flags: Int32 {
    let safe = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    return switch self {
    case .directory: O_RDONLY | O_DIRECTORY | safe
    case .read: O_RDONLY | safe
    case .append: O_WRONLY | O_APPEND | safe
    case .create: O_WRONLY | O_APPEND | O_CREAT | O_EXCL | safe
    case .lock: O_RDONLY | O_CREAT | safe
    }
  }
}

/// The bytes of one append, such as a record, in at most three parts.
struct RecordParts {
  var head: UnsafeRawBufferPointer
  var body = UnsafeRawBufferPointer(start: nil, count: 0)
  var end = UnsafeRawBufferPointer(start: nil, count: 0)

  var count: Int { head.count + body.count + end.count }
}

/// The parts of a file's status that the disk level needs.
struct FileStatus: Equatable, Sendable {
  /// Whether the file is regular (not a link, pipe, directory, or device) and owned by this user.
  var isOwnFile: Bool
  var isOwn: Bool
  var size: Int
  /// The number of hard links to the file. It's zero once the file has been removed.
  var links: Int
  /// The time of the last write, in milliseconds since 1970.
  var modified: Int64
  /// The time of the last write, or of the last link to the file, in milliseconds since 1970. A
  /// program can't choose it.
  var changed: Int64
  /// The device and the inode. Together, they identify a file among all that exist at the same
  /// time.
  var identity: [UInt64]

  init(_ found: stat) {
    isOwn = found.st_uid == geteuid()
    isOwnFile = isOwn && found.st_mode & S_IFMT == S_IFREG
    (size, links) = (Int(found.st_size), Int(found.st_nlink))
    modified = milliseconds(FileCalls.modification(of: found))
    changed = milliseconds(FileCalls.change(of: found))
    identity = [UInt64(truncatingIfNeeded: found.st_dev), UInt64(found.st_ino)]
  }
}

/// The failure of a system call: the call's name and its `errno`.
struct FileError: Error, Equatable {
  var operation: String
  var code: Int32

  /// Some bytes can't be read, or don't belong to the log.
  static let unreadable = FileError(operation: "read", code: EIO)
  /// A call wrote only some of the bytes, so the level treats the volume as full.
  static let short = FileError(operation: "write", code: ENOSPC)
  /// Other processes interrupted the operation too many times.
  static let interrupted = FileError(operation: "open", code: EAGAIN)
  /// The directory belongs to another user.
  static let foreign = FileError(operation: "fstat", code: EPERM)

  var isMissing: Bool { code == ENOENT }
  var isExisting: Bool { code == EEXIST }
  /// Whether the call failed because another process holds a lock.
  var isLocked: Bool { operation == "flock" && code == EWOULDBLOCK }
  /// Whether the call failed because the volume is full or the user's quota is used up.
  var isFull: Bool {
    (code == ENOSPC || code == EDQUOT) && operation != "lseek" && operation != "read"
  }
  /// Whether the call failed because of permissions or a read-only volume.
  var isForbidden: Bool { [EPERM, EACCES, EROFS].contains(code) }
  /// Whether the call failed because it lacked a permission or a resource. After such a failure,
  /// the file may still be intact.
  var isUnavailability: Bool { isForbidden || [EMFILE, ENFILE, ENOMEM].contains(code) }
}
