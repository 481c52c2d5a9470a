import Foundation

extension DiskStore {
  /// Stores a value, replacing the key's older one, and returns how many records were evicted.
  ///
  /// On return the system has the bytes and every process sees them; nothing is fsynced, so after a
  /// power cut the record is whole or a miss. If it fails, the older value is removed as well, as
  /// far as the system lets it: what a later write was to replace must not be served.
  @discardableResult
  func write(_ value: Data, for key: String) throws(DiskError) -> Int {
    openOnce()
    let (name, capacity) = (fileName(key), capacity)
    let length = Record.length(key: key, value: value)
    guard length <= capacity else {
      usage.withLock { forget(name, &$0) }
      throw .valueTooLarge(bytes: length, capacity: capacity)
    }
    let bytes = Record(key: key, value: value).encoded()
    return try usage.withLock { usage throws(DiskError) in
      do throws(FileSystemError) {
        return try store(bytes, as: name, capacity: capacity, &usage)
      } catch {
        forget(name, &usage)
        throw error.isFull ? .full(directory: directory, bytes: length) : unavailable(error)
      }
    }
  }

  /// Removes a key's record; that there is none is a success.
  func remove(_ key: String) throws(DiskError) {
    openOnce()
    let name = fileName(key)
    try change { folder, usage throws(FileSystemError) in
      _ = try discard(name, in: folder, &usage)
    }
  }

  /// Removes every record, and nothing else that may be in the folder; the folder stays.
  ///
  /// One that cannot be removed does not keep the others; the first failure is thrown at the end.
  func removeAll() throws(DiskError) {
    openOnce()
    try change { folder, usage throws(FileSystemError) in
      var failure: FileSystemError?
      for name in try files.names(folder) {
        do throws(FileSystemError) {
          if DiskNames.isTemporary(name) { try? sweep(name, in: folder) }
          if DiskNames.isRecord(name) { try discard(name, in: folder, &usage) }
        } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
    }
  }

  /// Runs a removal; in a folder that does not exist there is nothing to remove.
  private func change(
    _ body: (Descriptor, inout Usage) throws(FileSystemError) -> Void
  ) throws(DiskError) {
    do {
      try usage.withLock { usage throws(FileSystemError) in
        try withFolder { folder throws(FileSystemError) in try body(folder, &usage) }
      }
    } catch  where error.code == FileSystemError.notFound {
      return
    } catch {
      throw unavailable(error)
    }
  }

  private func forget(_ name: String, _ usage: inout Usage) {
    _ = try? withFolder { folder throws(FileSystemError) in
      try discard(name, in: folder, &usage)
    }
  }

  private func unavailable(_ error: FileSystemError) -> DiskError {
    .unavailable(directory: directory, operation: error.operation, code: error.code)
  }
}
