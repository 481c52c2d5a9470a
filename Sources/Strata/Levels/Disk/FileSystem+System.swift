#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension FileSystem {
  /// The calls of the operating system; one that a signal interrupts is repeated.
  static let system = FileSystem(
    realPath: { path in
      guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return String(cString: resolved)
    },
    makeFolder: { path throws(FileSystemError) in
      _ = try calling("mkdir", path) { mkdir(path, 0o700) }
    },
    openFolder: { path throws(FileSystemError) in
      try calling("open", path) { opening(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
    },
    names: { folder throws(FileSystemError) in try listing(folder) },
    open: { folder, name throws(FileSystemError) in
      let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      return try calling("openat", name) { openat(folder, name, flags) }
    },
    create: { folder, name throws(FileSystemError) in
      let flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      return try calling("openat", name) { openat(folder, name, flags, 0o600) }
    },
    lock: { file throws(FileSystemError) in
      _ = try calling("flock") { flock(file, LOCK_EX | LOCK_NB) }
    },
    status: { file throws(FileSystemError) in
      var found = stat()
      _ = try calling("fstat") { fstat(file, &found) }
      return FileStatus(found)
    },
    statusOf: { folder, name throws(FileSystemError) in
      var found = stat()
      _ = try calling("fstatat", name) { fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) }
      return FileStatus(found)
    },
    unlink: { folder, name throws(FileSystemError) in
      _ = try calling("unlinkat", name) { unlinkat(folder, name, 0) }
    },
    close: { file throws(FileSystemError) in
      // Not repeated: after EINTR the number may already belong to another thread's file.
      guard closing(file) == 0 || errno == EINTR else {
        throw FileSystemError(operation: "close", code: errno)
      }
    },
    openForAppending: { folder, name throws(FileSystemError) in
      let flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
      return try calling("openat", name) { openat(folder, name, flags) }
    },
    statusAt: { path throws(FileSystemError) in
      var found = stat()
      _ = try calling("lstat", path) { lstat(path, &found) }
      return FileStatus(found)
    },
    end: { file throws(FileSystemError) in
      Int(try calling("lseek") { lseek(file, 0, SEEK_END) })
    },
    position: { file throws(FileSystemError) in
      Int(try calling("lseek") { lseek(file, 0, SEEK_CUR) })
    },
    read: { file, bytes, position throws(FileSystemError) in
      try calling("read") { pread(file, bytes.baseAddress, bytes.count, off_t(position)) }
    },
    readBoth: { file, head, tail, position throws(FileSystemError) in
      try calling("read") { readingBoth(file, head, tail, position) }
    },
    append: { file, head, tail throws(FileSystemError) in
      try calling("write") { appending(file, head, tail) }
    },
    sync: { file throws(FileSystemError) in
      _ = try calling("fdatasync") { synchronizing(file) }
    },
    lengthen: { file, length throws(FileSystemError) in
      _ = try calling("ftruncate") { ftruncate(file, off_t(length)) }
    },
    pause: { usleep(1_000) },
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return Int64(time.tv_sec) &* 1_000 &+ Int64(time.tv_nsec / 1_000_000)
    })
}

extension FileStatus {
  fileprivate init(_ found: stat) {
    isOwn = found.st_uid == geteuid()
    isOwnFile = isOwn && found.st_mode & S_IFMT == S_IFREG
    size = Int(found.st_size)
    links = Int(found.st_nlink)
    identity = FileIdentity(
      device: UInt64(truncatingIfNeeded: found.st_dev),
      inode: UInt64(truncatingIfNeeded: found.st_ino))
  }
}

/// Repeats an interrupted call and turns its -1 into an error.
///
/// C takes a NUL in a string for its end, so a path with one would lead elsewhere: it is refused.
private func calling<Result: SignedInteger>(
  _ operation: String, _ paths: String..., call: () -> Result
) throws(FileSystemError) -> Result {
  guard !paths.contains(where: { $0.utf8.contains(0) }) else {
    throw FileSystemError(operation: operation, code: EINVAL)
  }
  while true {
    let result = call()
    if result >= 0 { return result }
    let code = errno
    if code != EINTR { throw FileSystemError(operation: operation, code: code) }
  }
}

/// Lists through a descriptor of its own, because a listing moves, and closing it closes.
private func listing(_ folder: Descriptor) throws(FileSystemError) -> [String] {
  let own = try calling("openat") { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  guard let stream = fdopendir(own) else {
    let code = errno
    _ = closing(own)
    throw FileSystemError(operation: "fdopendir", code: code)
  }
  defer { closedir(stream) }
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = readdir(stream) else { break }
    // By address: an entry is shorter in memory than its type says.
    let name = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
    names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
  }
  guard errno == 0 else { throw FileSystemError(operation: "readdir", code: errno) }
  return names.filter { $0 != "." && $0 != ".." }
}

// Inside the type, these C functions would be its closures of the same names.

private func appending(
  _ file: Descriptor, _ head: UnsafeRawBufferPointer, _ tail: UnsafeRawBufferPointer
) -> Int {
  withParts(.init(mutating: head), .init(mutating: tail)) { writev(file, $0, 2) }
}

private func readingBoth(
  _ file: Descriptor, _ head: UnsafeMutableRawBufferPointer,
  _ tail: UnsafeMutableRawBufferPointer, _ position: Int
) -> Int {
  withParts(head, tail) { preadv(file, $0, 2, off_t(position)) }
}

private func withParts(
  _ head: UnsafeMutableRawBufferPointer, _ tail: UnsafeMutableRawBufferPointer,
  _ body: (UnsafePointer<iovec>?) -> Int
) -> Int {
  let parts = (
    iovec(iov_base: head.baseAddress, iov_len: .init(head.count)),
    iovec(iov_base: tail.baseAddress, iov_len: .init(tail.count))
  )
  return withUnsafeBytes(of: parts) { body($0.assumingMemoryBound(to: iovec.self).baseAddress) }
}

private func synchronizing(_ file: Descriptor) -> Int32 {
  #if canImport(Darwin)
    // `fsync` leaves the bytes in the drive's own cache; not every file system knows the other.
    fcntl(file, F_FULLFSYNC) == 0 ? 0 : fsync(file)
  #else
    fdatasync(file)
  #endif
}

private func opening(_ path: String, _ flags: Int32) -> Descriptor { open(path, flags) }

private func closing(_ file: Descriptor) -> Int32 { close(file) }
