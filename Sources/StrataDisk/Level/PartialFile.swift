import Foundation

/// A file that is being downloaded. Only one object at a time, in all processes, can write it.
///
/// Its *note*, a second file, states what identifies the version of the resource, and how many bytes
/// have reached the device. After a crash or a power failure, the download continues there.
package final class PartialFile {
  /// The known facts about a resource whose download can continue.
  package struct Note: Equatable, Sendable {
    /// The strong validator of the version.
    package var validator: String
    /// The size of the resource.
    package var total: Int

    package init(validator: String, total: Int) {
      (self.validator, self.total) = (validator, total)
    }
  }

  /// The number of bytes after which the file is flushed and the note written.
  static let step = 8 << 20
  /// The longest time between two flushes of the file with its note, in milliseconds.
  static let pause: Int64 = 2_000

  private let directory: FileDirectory
  private let folder: OpenFile
  private let file: OpenFile
  private let name: String
  private var files: FileSystem { directory.files }
  /// The number of bytes that the file has of the version in the note.
  package private(set) var length = 0
  package private(set) var note: Note?
  private var noted = 0
  private var notedAt: Int64

  /// Opens the file, or returns `nil` while another object writes it.
  package init?(_ name: String, in directory: FileDirectory) throws(DiskError) {
    let opened = try directory.attempt { () throws(FileError) in
      let folder = try directory.open(creating: true)
      return try Self.locked(name + FileDirectory.Mark.partial, in: folder).map { (folder, $0) }
    }
    guard let opened else { return nil }
    (self.directory, self.name, folder, file) = (directory, name, opened.0, opened.1)
    notedAt = directory.files.now()
    try directory.attempt { () throws(FileError) in
      if let (note, length) = readNote(), try file.end() >= length {
        // The process may have ended after the last byte. Then the next download requests this byte
        // again, so the origin says whether the version is still the current one.
        let length = min(length, note.total - 1)
        (self.note, self.length, noted) = (note, length, length)
        try files.lengthen(file.descriptor, length)
      } else {
        try restart(noting: nil)
      }
    }
  }

  /// Opens a file, and creates it if necessary. Returns `nil` if it's locked.
  private static func locked(_ name: String, in folder: OpenFile) throws(FileError) -> OpenFile? {
    for _ in 0..<100 {
      let file: OpenFile
      do throws(FileError) {
        file = try OpenFile(name, .append, in: folder.descriptor, folder.files)
      } catch  where error.isMissing {
        do throws(FileError) {
          file = try OpenFile(name, .create, in: folder.descriptor, folder.files)
        } catch  where error.isExisting { continue }
      }
      do throws(FileError) {
        try folder.files.lock(file.descriptor, LOCK_EX | LOCK_NB)
      } catch  where error.isLocked { return nil }
      let status = try file.status()
      guard status.isOwnFile else { throw .foreign }
      // While this process waited for the lock, another one may have made the file a value, or
      // removed it.
      let named = try? folder.files.statusOf(folder.descriptor, name)
      if named?.identity == status.identity { return file }
    }
    throw .interrupted
  }

  /// Begins at the first byte. Without a note, the download can't continue after an interruption.
  package func restart(_ note: Note?) throws(DiskError) {
    try directory.attempt { () throws(FileError) in try restart(noting: note) }
  }

  private func restart(noting note: Note?) throws(FileError) {
    try directory.unlink(name + FileDirectory.Mark.note, in: folder)
    try files.lengthen(file.descriptor, 0)
    (self.note, length, noted) = (note, 0, 0)
  }

  package func append(_ bytes: Data) throws(DiskError) {
    try directory.attempt { () throws(FileError) in
      try Self.append(bytes, to: file)
      length += bytes.count
      // The clock may be set back.
      let isLate = !(0..<Self.pause).contains(files.now() - notedAt)
      if note != nil, isLate || length - noted >= Self.step { try writeNote() }
    }
  }

  private static func append(_ bytes: Data, to file: OpenFile) throws(FileError) {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(FileError) in try file.append(RecordParts(head: bytes)) }
    }
    _ = try result.get()
  }

  /// Keeps what has arrived for the next download, if it can continue.
  package func keep() {
    guard note != nil, length > 0 else { return discard() }
    guard length > noted else { return }
    do {
      // A write may have failed after some of its bytes.
      try files.lengthen(file.descriptor, length)
      try writeNote()
    } catch {}  // The earlier note is still right.
  }

  /// Removes what has arrived.
  package func discard() {
    (note, length, noted) = (nil, 0, 0)
    guard isNamed else { return }
    for mark in [FileDirectory.Mark.note, FileDirectory.Mark.partial] {
      try? directory.unlink(name + mark, in: folder)
    }
  }

  /// Makes the file the value of its name, in one step.
  ///
  /// - Throws: ``DiskError`` with `ENOENT` if the value has been removed or replaced meanwhile.
  package func finish() throws(DiskError) -> URL {
    try directory.attempt { () throws(FileError) in
      try files.sync(file.descriptor)
      guard isNamed else { throw FileError(operation: "renameat", code: ENOENT) }
      try files.rename(folder.descriptor, name + FileDirectory.Mark.partial, name)
      try? directory.unlink(name + FileDirectory.Mark.note, in: folder)
      directory.makeRoom(for: length, of: name, in: folder)
    }
    return directory.url(name)
  }

  /// Whether the file still has its name.
  private var isNamed: Bool {
    let named = try? files.statusOf(folder.descriptor, name + FileDirectory.Mark.partial)
    return named != nil && named?.identity == (try? file.status())?.identity
  }

  private func writeNote() throws(FileError) {
    guard let note else { return }
    try files.sync(file.descriptor)
    let temporary = name + FileDirectory.Mark.temporary + "note"
    try directory.unlink(temporary, in: folder)
    let text = "strata-part 1\n\(length)\n\(note.total)\n\(note.validator)\n"
    do throws(FileError) {
      let new = try OpenFile(temporary, .create, in: folder.descriptor, files)
      try Self.append(Data(text.utf8), to: new)
      try files.rename(folder.descriptor, temporary, name + FileDirectory.Mark.note)
    } catch {
      try? directory.unlink(temporary, in: folder)
      throw error
    }
    (noted, notedAt) = (length, files.now())
  }

  /// Reads a note of at most 2 KiB. Any fault makes the download begin at the first byte.
  private func readNote() -> (Note, length: Int)? {
    let name = name + FileDirectory.Mark.note
    guard let file = try? OpenFile(name, .read, in: folder.descriptor, files),
      (try? file.status())?.isOwnFile == true
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 2048)
    let count = bytes.withUnsafeMutableBytes { try? files.read(file.descriptor, $0, 0) }
    let lines = String(decoding: bytes.prefix(count ?? 0), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 5, lines[0] == "strata-part 1", lines[4].isEmpty,
      let length = Int(lines[1]), let total = Int(lines[2]), 0 < length, length <= total,
      !lines[3].isEmpty, lines[3].utf8.allSatisfy({ (32...126).contains($0) })
    else { return nil }
    return (Note(validator: String(lines[3]), total: total), length)
  }
}
