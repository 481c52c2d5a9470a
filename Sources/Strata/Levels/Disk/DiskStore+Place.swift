#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension DiskStore {
  /// Places a record and makes room for it; returns how many records had to go.
  ///
  /// Twice it tries again: on a full volume after giving up half of the store, and at once when
  /// something vanished on the way, the folder or (swept by another process) the new file.
  func store(
    _ bytes: [UInt8], as name: String, capacity: Int, _ usage: inout Usage
  ) throws(FileSystemError) -> Int {
    var (evicted, attempt) = (0, 0)
    while true {
      defer { attempt += 1 }
      do {
        return try withFolder(making: true) { folder throws(FileSystemError) in
          try place(bytes, as: name, in: folder, &usage)
          return evicted + fit(folder, keeping: name, into: capacity, &usage)
        }
      } catch  where attempt < 2 && error.code == FileSystemError.notFound {
        continue
      } catch  where attempt < 2 && error.isFull {
        let freed = try withFolder { folder throws(FileSystemError) in
          trim(folder, &usage) { $0 / 2 }
        }
        guard freed > 0 else { throw error }
        evicted += freed
      }
    }
  }

  /// Writes a file under a name of its own and moves it to where readers look.
  private func place(
    _ bytes: [UInt8], as name: String, in folder: Descriptor, _ usage: inout Usage
  ) throws(FileSystemError) {
    let temporary = DiskNames.temporary()
    let file = try files.create(folder, temporary)
    do {
      // The lock tells a sweep that the file's writer lives. Where there are no locks, a sweep may
      // take the file, and the rename then fails and is tried again.
      try? files.lock(file)
      try fill(file, with: bytes)
      try? files.setTime(file, files.now())
      let replaced = try record(name, in: folder)?.size ?? 0
      try files.rename(folder, temporary, name)
      usage.replace(replaced, with: bytes.count)
    } catch {
      try? files.close(file)
      try? files.unlink(folder, temporary)
      throw error
    }
    // Network file systems may report only here that the bytes did not arrive.
    try files.close(file)
  }

  private func fill(_ file: Descriptor, with bytes: [UInt8]) throws(FileSystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try files.write(file, rest)
      // A file that takes nothing would be tried for ever.
      if count == 0 { throw FileSystemError(operation: "write", code: ENOSPC) }
      rest = rest.dropFirst(count)
    }
  }
}

extension FileSystemError {
  static let notFound = ENOENT

  /// No room: on the volume, or in the user's quota.
  var isFull: Bool { code == ENOSPC || code == EDQUOT }
}
