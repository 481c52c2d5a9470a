import Foundation

/// A description of a value in a ``DiskStorage``.
public struct DiskEntry: Equatable, Sendable {
  /// The key.
  public let key: String
  /// The size of the value in bytes.
  public let bytes: Int
  /// The creation time.
  public let storedAt: TimeSource.Instant
  /// The deadline, or `nil` if the value never expires.
  public let expiresAt: TimeSource.Instant?
}

/// The findings of ``DiskStorage/check()``.
public struct DiskCheck: Equatable, Sendable {
  /// The number of values that are intact.
  public var intact = 0
  /// The number of values that can't be read, or whose checksum is wrong. A get of such a value
  /// misses.
  public var damaged = 0
  /// The size of all intact records in bytes.
  public var bytes = 0
}

extension DiskStorage /* : looking inside */ {
  /// Returns the keys of all values that haven't expired, from the oldest value to the newest.
  ///
  ///     let storage = DiskStorage("notes")
  ///     for key in try storage.keys() where key.hasPrefix("draft/") { print(key) }
  ///
  /// Keys are only on disk, so each takes a read. Other threads and processes may use the directory
  /// in the meantime. When a key has a value all the time, it's listed, unless an eviction is just
  /// copying its value. Keys are in the Unicode form NFC.
  ///
  /// - Complexity: O(*n*) reads. Other operations wait for at most one step, which handles 512
  ///   entries of the index.
  /// - Throws: ``DiskError`` if the directory can't be used.
  public func keys() throws -> [String] { try entries().map(\.key) }

  /// Returns descriptions of all values that haven't expired. See ``keys()``.
  public func entries() throws -> [DiskEntry] {
    var entries: [DiskEntry] = []
    try log.forEachEntry { segment, entry in
      if let entry = DiskEntry(entry, in: segment) { entries.append(entry) }
    }
    return entries
  }

  /// Reads every value, and compares it with its checksum.
  ///
  /// - Complexity: O(*n*) in the size of the directory.
  /// - Throws: ``DiskError`` if the directory can't be used.
  public func check() throws -> DiskCheck {
    var check = DiskCheck()
    try log.forEachEntry { segment, entry in
      let length = Int(entry.length) - RecordHeader.endLength
      let bytes = try? segment.bytes(from: Int(entry.offset), count: length)
      let header = bytes?.withUnsafeBytes { RecordHeader(intact: $0, in: segment.id) }
      if header?.hash == entry.hash {
        check.intact += 1
        check.bytes += Int(entry.length)
      } else {
        check.damaged += 1
      }
    }
    return check
  }

  /// Removes the expired values, and frees the space of the oldest files that are mostly obsolete.
  ///
  /// Gets of expired values miss anyway, and evictions discard these values. Call this function to
  /// free their space earlier. Only the oldest file is removed, and only if at most half of its
  /// bytes are valid. The valid values are copied first, so none is lost. Whether a value has
  /// expired depends on the system's time, in whole seconds.
  ///
  /// - Returns: The number of removed values.
  /// - Complexity: O(*n*) in the number of values, plus the copied bytes. The work is done in short
  ///   steps, so writes don't wait for all of it.
  /// - Throws: ``DiskError`` if the directory can't be used.
  /// - Law: No get changes its result: a value that was valid is still valid. See
  ///   `DiskStorageKeysTests.testRemovingExpiredValuesChangesNoGet`.
  @discardableResult
  public func removeExpired() throws -> Int { try log.removeExpired() }
}

extension DiskEntry {
  /// The number of bytes of a key that the first read includes.
  private static let shortKey = 192

  /// Reads the header and the key of a record, or returns `nil` if they are damaged.
  fileprivate init?(_ entry: Entry, in segment: Segment) {
    let length = Int(entry.length) - RecordHeader.endLength
    let first = min(length, RecordHeader.length + DiskEntry.shortKey)
    guard var bytes = try? segment.bytes(from: Int(entry.offset), count: first),
      let header = bytes.withUnsafeBytes({ RecordHeader($0, in: segment.id) }),
      header.hash == entry.hash, header.total == Int(entry.length)
    else { return nil }
    let end = RecordHeader.length + header.keyLength
    if end > bytes.count {
      guard let all = try? segment.bytes(from: Int(entry.offset), count: end) else { return nil }
      bytes = all
    }
    let key = bytes[RecordHeader.length..<end]
    guard key.withUnsafeBytes({ RecordHeader.hash(of: $0) }) == header.hash else { return nil }
    self.key = String(decoding: key, as: UTF8.self)
    self.bytes = header.valueLength
    storedAt = .init(milliseconds: header.created)
    expiresAt = header.deadline == .max ? nil : .init(milliseconds: header.deadline)
  }
}
