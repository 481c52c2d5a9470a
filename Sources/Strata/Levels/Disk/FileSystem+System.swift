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
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
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
    read: { file, bytes, position throws(FileSystemError) in
      try calling("read") {
        bytes.withUnsafeMutableBytes { reading(file, $0[position...]) }
      }
    },
    write: { file, bytes throws(FileSystemError) in
      try calling("write") { bytes.withUnsafeBytes { writing(file, $0) } }
    },
    setTime: { file, time throws(FileSystemError) in
      let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
      let stamp = timespec(tv_sec: .init(seconds), tv_nsec: .init(rest))
      _ = try calling("futimens") { futimens(file, [stamp, stamp]) }
    },
    rename: { folder, old, new throws(FileSystemError) in
      _ = try calling("renameat", old, new) { renameat(folder, old, folder, new) }
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
    now: {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return nanoseconds(time)
    })
}

extension FileStatus {
  fileprivate init(_ found: stat) {
    #if canImport(Darwin)
      let time = found.st_mtimespec
    #else
      let time = found.st_mtim
    #endif
    isOwn = found.st_uid == geteuid()
    isOwnFile = isOwn && found.st_mode & S_IFMT == S_IFREG
    size = Int(found.st_size)
    self.time = nanoseconds(time)
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

private func reading(_ file: Descriptor, _ buffer: Slice<UnsafeMutableRawBufferPointer>) -> Int {
  let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer)
  return read(file, buffer.baseAddress, buffer.count)
}

private func writing(_ file: Descriptor, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(file, bytes.baseAddress, bytes.count)
}

private func opening(_ path: String, _ flags: Int32) -> Descriptor { open(path, flags) }

private func closing(_ file: Descriptor) -> Int32 { close(file) }

/// Saturates, since a file may carry any time at all.
private func nanoseconds(_ time: timespec) -> Int64 {
  let (whole, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, carry) = whole.addingReportingOverflow(Int64(time.tv_nsec))
  return overflow || carry ? (time.tv_sec < 0 ? .min : .max) : sum
}
