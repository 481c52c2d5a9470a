#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension SegmentLog {
  /// Brings the index up to date with what all processes have written.
  ///
  /// If it fails, the index is empty; or, where nobody can write, as good as it was.
  func refresh(_ writer: inout Writer) throws(FileSystemError) {
    let now = files.now()
    let isUpToDate = state.withLock { state in
      state.watched != nil && state.isUpToDate(files, directory, now)
    }
    if isUpToDate { return }
    guard writer.folder != nil, !state.withLock({ $0.isMoved(files, directory, now) }) else {
      return try reopen(&writer, now)
    }
    do throws(FileSystemError) {
      try follow(&writer)
    } catch {
      if state.withLock({ $0.frozenUntil > now }) { throw error }
      try reopen(&writer, now)
    }
  }

  /// Reads on in the active segment, and in the next ones if it was sealed.
  private func follow(_ writer: inout Writer) throws(FileSystemError) {
    for _ in 0..<1_000 {
      guard let segment = state.withLock({ $0.watched?.segment }) else {
        try advance(&writer)
        continue
      }
      let end = try files.end(segment.file)
      if try catchUp(with: segment, to: end, isFinal: false, &writer) { return }
    }
    throw FileSystemError(operation: "open", code: EAGAIN)
  }

  /// Forgets all and opens the folder anew, making it if it is not there.
  ///
  /// After the third failure in a row it rests, ten milliseconds and then longer, up to a second.
  func reopen(_ writer: inout Writer, _ now: Int64) throws(FileSystemError) {
    forget(&writer)
    if let error = writer.rest.error(at: now) { throw error }
    do throws(FileSystemError) {
      let folder = try openOrMakeFolder()
      writer.folder = folder
      let status = try files.status(folder.descriptor)
      // In a folder of another user, that user decides what the names in it mean.
      guard status.isOwn else { throw FileSystemError(operation: "fstat", code: EPERM) }
      identity.withLock { $0 = status.identity }
      state.withLock { state in
        state.folder = Folder(file: folder, identity: status.identity)
        state.checkedAt = now
      }
      try advance(&writer)
      writer.rest.succeed()
      do {
        try trimAll(&writer)
      } catch  where error.isForbidden {
        // Who may not remove may read all the same.
      }
    } catch {
      if state.withLock({ $0.frozenUntil > now }) { throw error }
      forget(&writer)
      writer.rest.fail(error, at: now)
      throw error
    }
  }

  /// Removes what is more than the log may hold: it may have held more before.
  private func trimAll(_ writer: inout Writer) throws(FileSystemError) {
    while state.withLock({ $0.isTrimDue() }) { try trimStep(&writer) }
    guard state.withLock({ $0.isActiveOverfull }) else { return }
    try roll(&writer)
    while state.withLock({ $0.isTrimDue() }) { try trimStep(&writer) }
  }

  /// Empties the index and lets go of all files.
  func forget(_ writer: inout Writer) {
    (writer.folder, writer.appender) = (nil, nil)
    let gone = state.withLock { state in
      defer {
        state.index = Index()
        (state.watched, state.sealed, state.folder) = (nil, nil, nil)
        (state.frozenUntil, state.checkedAt) = (.min, .min)
      }
      return (state.index, state.watched, state.sealed, state.folder)
    }
    // The files close here, where no lock of the index is held.
    withExtendedLifetime(gone) {}
  }

  private func openOrMakeFolder() throws(FileSystemError) -> OpenFile {
    do {
      return OpenFile(try files.openFolder(directory), files: files)
    } catch  where error.code == ENOENT {
      try makeFolders()
      return OpenFile(try files.openFolder(directory), files: files)
    }
  }

  /// Makes the folder and what is missing above it: up until something is there, and down again.
  private func makeFolders() throws(FileSystemError) {
    var missing: [String] = []
    for path in DiskFolder.ancestry(of: directory) {
      do {
        try files.makeFolder(path)
        break
      } catch  where error.code == ENOENT {
        missing.append(path)
      } catch  where error.code == EEXIST {
        break
      }
    }
    for path in missing.reversed() {
      do { try files.makeFolder(path) } catch  where error.code == EEXIST {}
    }
  }

  /// How long to leave a folder alone that could not be used.
  struct Rest {
    private var failures = 0
    private var last: (error: FileSystemError, at: Int64)?

    /// The error to repeat, as long as it is too early to try again.
    func error(at now: Int64) -> FileSystemError? {
      guard failures > 2, let last else { return nil }
      let span = min(Int64(10) << Int64(min(failures - 3, 10)), 1_000)
      let (elapsed, overflow) = now.subtractingReportingOverflow(last.at)
      return !overflow && 0..<span ~= elapsed ? last.error : nil
    }

    mutating func fail(_ error: FileSystemError, at now: Int64) {
      failures = min(failures + 1, 100)
      last = (error, now)
    }

    mutating func succeed() { (failures, last) = (0, nil) }
  }
}

extension FileSystemError {
  /// The folder or the process lacks something that may come back: nothing is wrong with the file.
  var isUnavailability: Bool {
    [EPERM, EACCES, EROFS, EMFILE, ENFILE, ENOMEM].contains(code)
  }

  /// No room: on the volume, or in the user's quota.
  var isFull: Bool { code == ENOSPC || code == EDQUOT }

  /// Nobody can write there, so nothing changes either.
  var isForbidden: Bool { [EPERM, EACCES, EROFS].contains(code) }
}

extension SegmentLog {
  /// Reads what others have written, as far as that is possible.
  func bringUpToDate() {
    writing { writer in try? refresh(&writer) }
  }
}
