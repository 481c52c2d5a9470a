import Foundation

extension FileSystem {
  /// The operating system's file functions. Calls that a signal interrupts are repeated.
  static let system = FileSystem(
    realPath: { path in
      guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return String(cString: resolved)
    },
    makeDirectory: { path throws(FileError) in
      _ = try calling("mkdir", path) { mkdir(path, 0o700) }
    },
    names: { directory throws(FileError) in try listing(directory) },
    open: { directory, name, mode throws(FileError) in
      try calling("openat", name) { openat(directory, name, mode.flags, 0o600) }
    },
    // `close` isn't repeated after EINTR, because another thread may have reused the descriptor.
    close: { file in closing(file) },
    unlink: { directory, name throws(FileError) in
      _ = try calling("unlinkat", name) { unlinkat(directory, name, 0) }
    },
    rename: { directory, name, new throws(FileError) in
      _ = try calling("renameat", name) { renameat(directory, name, directory, new) }
    },
    link: { path, directory, name throws(FileError) in
      _ = try calling("linkat", path) { linkat(AT_FDCWD, path, directory, name, 0) }
    },
    touch: { directory, name throws(FileError) in
      _ = try calling("utimensat", name) {
        utimensat(directory, name, nil, AT_SYMLINK_NOFOLLOW)
      }
    },
    lock: { file, operation throws(FileError) in
      _ = try calling("flock") { flock(file, operation) }
    },
    status: { file throws(FileError) in
      var found = stat()
      _ = try calling("fstat") { fstat(file, &found) }
      return FileStatus(found)
    },
    statusOf: { directory, name throws(FileError) in
      var found = stat()
      _ = try calling("fstatat", name) { fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) }
      return FileStatus(found)
    },
    inode: { directory, name throws(FileError) in
      var found: UInt64 = 0
      _ = try calling("fstatat", name) { FileCalls.inode(directory, name, &found) }
      return found
    },
    room: { FileCalls.room(on: $0) },
    ask: { FileCalls.ask($0, for: $1) },
    largestAsk: { FileCalls.largestAsk($0, above: $1) },
    end: { file throws(FileError) in Int(try calling("lseek") { lseek(file, 0, SEEK_END) }) },
    position: { file throws(FileError) in Int(try calling("lseek") { lseek(file, 0, SEEK_CUR) }) },
    read: { file, bytes, position throws(FileError) in
      guard let start = bytes.baseAddress else { return 0 }
      return try calling("read") { pread(file, start, bytes.count, off_t(position)) }
    },
    append: { file, parts throws(FileError) in try calling("write") { appending(file, parts) } },
    sync: { file throws(FileError) in
      _ = try calling("fdatasync") { FileCalls.synchronize(file) }
    },
    lengthen: { file, length throws(FileError) in
      _ = try calling("ftruncate") { ftruncate(file, off_t(length)) }
    },
    pause: { usleep($0) },
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return milliseconds(time)
    },
    limits: { FileCalls.limits })
}

func milliseconds(_ time: timespec) -> Int64 {
  Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec / 1_000_000)
}

/// Makes a system call. Repeats it if a signal interrupts it, and throws if it fails. A path with a
/// NUL byte is an error, because a C string ends at its first NUL byte.
@inline(__always)
private func calling<Result: SignedInteger>(
  _ operation: String, _ path: String? = nil, call: () -> Result
) throws(FileError) -> Result {
  if path?.utf8.contains(0) == true { throw FileError(operation: operation, code: EINVAL) }
  while true {
    let result = call()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw FileError(operation: operation, code: code) }
  }
}

/// Lists a directory through a new descriptor, because listing moves the position of a descriptor,
/// and `closedir` closes it.
private func listing(_ directory: Descriptor) throws(FileError) -> [String] {
  let own = try calling("openat") { openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  guard let stream = fdopendir(own) else {
    let code = errno
    closing(own)
    throw FileError(operation: "fdopendir", code: code)
  }
  defer { closedir(stream) }
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = readdir(stream) else { break }
    // Reads the name at its address, because an entry may be shorter than a `dirent`.
    let name = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
    names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
  }
  guard errno == 0 else { throw FileError(operation: "readdir", code: errno) }
  return names.filter { $0 != "." && $0 != ".." }
}

// These functions are global, because inside `FileSystem`, the name `close` refers to a closure.

private func appending(_ file: Descriptor, _ parts: RecordParts) -> Int {
  func part(_ bytes: UnsafeRawBufferPointer) -> iovec {
    iovec(iov_base: .init(mutating: bytes.baseAddress), iov_len: .init(bytes.count))
  }
  let vector = (part(parts.head), part(parts.body), part(parts.end))
  return withUnsafeBytes(of: vector) {
    writev(file, $0.assumingMemoryBound(to: iovec.self).baseAddress!, 3)
  }
}

private func closing(_ file: Descriptor) { close(file) }
