/// What a store believes its folder to hold.
struct Usage {
  /// The bytes of all records; `nil` until the folder has been scanned.
  var size: Int?
  /// The bytes written since the last scan.
  var written = 0

  // Sizes come from files that others can change, so the sums saturate and never trap.
  mutating func replace(_ old: Int, with new: Int) {
    subtract(old)
    size = size.map { $0.addingClamped(new) }
    written = written.addingClamped(new)
  }

  mutating func subtract(_ bytes: Int) {
    size = size.map { max(0, $0 - bytes) }
  }
}

extension DiskStore {
  private struct File {
    var name: String
    var size: Int
    var time: Int64
  }

  /// Evicting goes on below the limit by an eighth, so that a full store does not scan at each set.
  static func lowWater(_ capacity: Int) -> Int { capacity - capacity / 8 }

  /// Evicts if the store has outgrown its capacity.
  ///
  /// An eighth of the capacity written is a reason to look as well: other processes write too.
  func fit(
    _ folder: Descriptor, keeping kept: String, into capacity: Int, _ usage: inout Usage
  ) -> Int {
    if let size = usage.size, size <= capacity, usage.written <= capacity / 8 { return 0 }
    return trim(folder, keeping: kept, &usage) {
      $0 > capacity ? Self.lowWater(capacity) : $0
    }
  }

  /// Measures the folder and evicts the least recently used records down to the target for its
  /// size; returns how many.
  ///
  /// A record stamped in the future says nothing of its use: the clock was set back. It goes first.
  ///
  /// - Complexity: O(*n* log *n*) in the number of records, one call to the system for each.
  func trim(
    _ folder: Descriptor, keeping kept: String? = nil, _ usage: inout Usage,
    target: (Int) -> Int
  ) -> Int {
    guard let found = try? scan(folder) else {
      usage.size = nil
      return 0
    }
    let now = files.now()
    var size = found.reduce(0) { $0.addingClamped($1.size) }
    usage.size = size
    usage.written = 0
    let goal = target(size)
    guard size > goal else { return 0 }
    let order = { (file: File) in (file.time > now ? .min : file.time, file.name) }
    var evicted = 0
    for file in found.sorted(by: { order($0) < order($1) }) where file.name != kept {
      if size <= goal { break }
      guard (try? files.unlink(folder, file.name)) != nil else { continue }
      size = max(0, size - file.size)
      evicted += 1
    }
    usage.size = size
    return evicted
  }

  /// Lists the records, and sweeps what writers left behind that died before they were done.
  private func scan(_ folder: Descriptor) throws(FileSystemError) -> [File] {
    var found: [File] = []
    for name in try files.names(folder) {
      if DiskNames.isTemporary(name) {
        try? sweep(name, in: folder)
      } else if DiskNames.isRecord(name), let status = try record(name, in: folder) {
        found.append(File(name: name, size: status.size, time: status.time))
      }
    }
    return found
  }

  /// Removes an unfinished file unless its writer still holds the lock on it.
  func sweep(_ name: String, in folder: Descriptor) throws(FileSystemError) {
    let file = try files.open(folder, name)
    defer { try? files.close(file) }
    guard try files.status(file).isOwnFile else { return }
    try files.lock(file)
    try files.unlink(folder, name)
  }
}

extension Int {
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
