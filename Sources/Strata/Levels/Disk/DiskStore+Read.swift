import Foundation

extension DiskStore {
  /// Returns the value last written for a key by any store on this folder, or `nil` for a miss.
  ///
  /// Whatever fails is a miss. Only a record that is proven damaged is removed: a failure that may
  /// pass deletes nothing, and neither does another key's record under the same name.
  func read(_ key: String) -> Data? {
    openOnce()
    let name = fileName(key)
    switch try? withFolder({ folder throws(FileSystemError) in try load(name, in: folder) }) {
    case .whole(let record): return record.key == key ? record.value : nil
    case .damaged: discardIfDamaged(name)
    case .none, .foreign: break
    }
    return nil
  }

  private enum Content {
    case whole(Record)
    case damaged
    /// Not a file of ours, or too large to be read.
    case foreign
  }

  /// Opens, reads and verifies a file; what it holds is judged only after it was read to its end.
  private func load(_ name: String, in folder: Descriptor) throws(FileSystemError) -> Content {
    let file = try files.open(folder, name)
    defer { try? files.close(file) }
    let status = try files.status(file)
    guard status.isOwnFile else { return .foreign }
    var bytes: [UInt8] = []
    guard
      try extend(&bytes, to: min(Record.headerLength, status.size), from: file),
      bytes.withUnsafeBytes({ Record.Header($0, fileSize: status.size) }) != nil
    else { return .damaged }
    guard status.size <= capacity else { return .foreign }
    guard
      try extend(&bytes, to: status.size, from: file),
      let record = bytes.withUnsafeBytes({ Record($0) })
    else { return .damaged }
    // The order of eviction; to fail here costs the record its place in it and nothing else.
    try? files.setTime(file, files.now())
    return .whole(record)
  }

  /// Reads on until there are so many bytes; false if the file ends before.
  private func extend(
    _ bytes: inout [UInt8], to count: Int, from file: Descriptor
  ) throws(FileSystemError) -> Bool {
    var position = bytes.count
    bytes += [UInt8](repeating: 0, count: count - position)
    while position < count {
      let more = try files.read(file, &bytes, position)
      if more == 0 { return false }
      position += more
    }
    return true
  }

  /// Looks again where no store of this process writes, since a reader may have met a record that
  /// was replaced meanwhile, and removing by name would then remove a good one.
  private func discardIfDamaged(_ name: String) {
    usage.withLock { usage in
      try? withFolder { folder throws(FileSystemError) in
        guard case .damaged = try load(name, in: folder) else { return }
        try discard(name, in: folder, &usage)
      }
    }
  }
}
