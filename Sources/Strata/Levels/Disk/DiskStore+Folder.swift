#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension DiskStore {
  /// Opens the folder for one operation and closes it after.
  ///
  /// A descriptor kept open would be faster, but go on using a folder that was moved away, or its
  /// place taken by another, where the next process looks.
  func withFolder<Result>(
    making: Bool = false, _ body: (Descriptor) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    let folder = making ? try openOrMake() : try files.openFolder(directory)
    defer { try? files.close(folder) }
    // In a folder of another user, that user decides what the names in it mean.
    guard try files.status(folder).isOwn else {
      throw FileSystemError(operation: "fstat", code: EPERM)
    }
    return try body(folder)
  }

  private func openOrMake() throws(FileSystemError) -> Descriptor {
    do {
      return try files.openFolder(directory)
    } catch  where error.code == ENOENT {
      try makeFolders()
      return try files.openFolder(directory)
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

  /// The status of a record's file, or `nil` if the name is free or taken by what is not ours.
  func record(_ name: String, in folder: Descriptor) throws(FileSystemError) -> FileStatus? {
    do {
      let status = try files.statusOf(folder, name)
      return status.isOwnFile ? status : nil
    } catch  where error.code == ENOENT {
      return nil
    }
  }

  /// Removes a record's file if there is one, and returns whether there was.
  @discardableResult
  func discard(
    _ name: String, in folder: Descriptor, _ usage: inout Usage
  ) throws(FileSystemError) -> Bool {
    guard let status = try record(name, in: folder) else { return false }
    do {
      try files.unlink(folder, name)
    } catch  where error.code == ENOENT {
      // Another process was faster.
    }
    usage.subtract(status.size)
    return true
  }
}
