import Foundation

extension FileDirectory /* : its size */ {
  private struct Found {
    let name: String
    let status: FileStatus
  }

  /// The size of all files in bytes, and the number of values.
  var size: (bytes: Int, values: Int) {
    guard let directory = try? open() else { return (0, 0) }
    let found = found(in: directory)
    return (
      found.reduce(0) { $0 + $1.status.size }, found.count { !$0.name.contains("~") }
    )
  }

  /// Evicts the values that haven't been used for the longest time until the others fit. A download
  /// that runs isn't evicted, and neither is the new value of a name.
  ///
  /// Reading the directory takes time, so a process doesn't do it for each write. It reads the
  /// directory if its own writes could exceed the capacity. Because other processes write, too, it
  /// also reads it whenever it has written a sixteenth of the capacity.
  func makeRoom(for new: Int, of name: String, in directory: OpenFile) {
    let mayFit = bytes.withLock { bytes in
      guard let known = bytes.known else { return false }
      bytes.added += new
      return known + bytes.added <= capacity && bytes.added <= capacity / 16
    }
    if !mayFit { trim(keeping: name, in: directory) }
  }

  private func trim(keeping name: String, in directory: OpenFile) {
    let found = found(in: directory)
    var total = found.reduce(0) { $0 + $1.status.size }
    defer { bytes.withLock { $0 = (total, 0) } }
    guard total > capacity else { return }
    for file in found.sorted(by: { $0.status.modified < $1.status.modified })
    where file.name != name && total > capacity {
      guard mayEvict(file, in: directory) else { continue }
      if (try? unlink(file.name, in: directory)) != nil { total -= file.status.size }
    }
  }

  private func found(in directory: OpenFile) -> [Found] {
    ((try? names(in: directory)) ?? []).compactMap { name in
      guard let status = try? files.statusOf(directory.descriptor, name), status.isOwnFile else {
        return nil
      }
      return Found(name: name, status: status)
    }
  }

  private func mayEvict(_ file: Found, in directory: OpenFile) -> Bool {
    if file.name.contains(Mark.temporary) {  // What a crash has left behind.
      // A link to an old file is new itself. So the time of the last write doesn't count.
      return files.now() - file.status.changed > 3_600_000
    }
    guard file.name.hasSuffix(Mark.partial) else { return true }
    guard let part = try? OpenFile(file.name, .read, in: directory.descriptor, files) else {
      return true
    }
    return (try? files.lock(part.descriptor, LOCK_EX | LOCK_NB)) != nil
  }
}
