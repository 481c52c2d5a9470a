import Foundation

/// A directory whose files are values. The name of a file comes from its key.
package final class FileDirectory: Sendable {
  let path: String
  package let capacity: Int
  let files: FileSystem
  /// The size of all files when the directory was last read, and the bytes written since.
  let bytes = Lock<(known: Int?, added: Int)>((nil, 0))

  init(_ path: String, capacity: Int, files: FileSystem = .system) {
    (self.path, self.capacity, self.files) = (path, max(0, capacity), files)
  }

  /// Returns the name of a key's file. It begins with a hash, because keys can be long and file
  /// systems may ignore case. It ends with the suffix of the URL's path, because players and
  /// viewers read it.
  package static func name(of key: URL) -> String {
    // Equal URLs have equal relative parts and bases.
    let text = key.baseURL.map { "\(key.relativeString)\n\($0.absoluteString)" }
    let digits = SHA256.hash(Array((text ?? key.absoluteString).utf8)).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    let suffix = key.pathExtension
    let isPlain = suffix.utf8.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
    return digits.joined() + (isPlain && (1...10).contains(suffix.utf8.count) ? ".\(suffix)" : "")
  }

  /// Whether a file name belongs to a key, with or without a mark of this class after it.
  private static func isOwn(_ name: String) -> Bool {
    name.utf8.count >= 64
      && name.utf8.prefix(64).allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// The names of a value's parts begin with the value's name, followed by a mark. No key's name
  /// contains the letter that marks begin with.
  enum Mark {
    static let partial = "~part"
    static let note = "~note"
    static let temporary = "~new-"
  }

  package func url(_ name: String) -> URL { URL(fileURLWithPath: "\(path)/\(name)") }

  func open(creating: Bool = false) throws(FileError) -> OpenFile {
    let directory: OpenFile
    do throws(FileError) {
      directory = try OpenFile(path, .directory, files)
    } catch  where creating && error.isMissing {
      try DirectoryPath.make(path, in: files)
      directory = try OpenFile(path, .directory, files)
    }
    // Rejects a directory of another user, because that user could replace the files.
    guard try directory.status().isOwn else { throw .foreign }
    return directory
  }

  /// Returns a value's file, and makes it the most recently used one. As in every level on disk, a
  /// directory that can't be read has no values.
  package func find(_ name: String, touches: Bool = true) -> URL? {
    guard let directory = try? open(),
      let status = try? files.statusOf(directory.descriptor, name), status.isOwnFile
    else { return nil }
    if touches { try? files.touch(directory.descriptor, name) }
    return url(name)
  }

  /// Returns numbers that distinguish a value's file from the files of earlier and later values, or
  /// `nil` if there is no file.
  package func identity(of name: String) -> [UInt64]? {
    guard let directory = try? open() else { return nil }
    return try? files.statusOf(directory.descriptor, name).identity
  }

  /// Makes a file the value of a name. The file is linked, or copied from another volume.
  func adopt(_ source: URL, as name: String) throws(DiskError) {
    let (directory, file, size) = try attempt { () throws(FileError) in
      guard source.isFileURL else { throw FileError(operation: "open", code: EINVAL) }
      let (directory, file) = (
        try open(creating: true), try OpenFile(source.path, .read, files)
      )
      let status = try file.status()
      guard status.isOwnFile else { throw FileError(operation: "open", code: EPERM) }
      return (directory, file, status.size)
    }
    guard size <= capacity else {
      // As in the other levels, a value that is too large removes the previous one.
      try remove(name)
      throw .valueTooLarge(bytes: size, capacity: capacity)
    }
    try attempt { () throws(FileError) in
      if DirectoryPath.plain(source.path) == DirectoryPath.plain(url(name).path) {
        return try files.touch(directory.descriptor, name)
      }
      try adopt(file, from: source.path, as: name, in: directory)
    }
  }

  private func adopt(
    _ file: OpenFile, from path: String, as name: String, in directory: OpenFile
  ) throws(FileError) {
    let temporary = name + Mark.temporary + UUID().uuidString
    defer { try? files.unlink(directory.descriptor, temporary) }
    do throws(FileError) {
      try files.link(path, directory.descriptor, temporary)
    } catch  where !error.isFull {
      try copy(file, to: temporary, in: directory)
    }
    // Before the file gets its name, because an eviction could take an old file for the value that
    // hasn't been used for the longest time.
    try? files.touch(directory.descriptor, temporary)
    forgetPart(of: name, in: directory)
    try files.rename(directory.descriptor, temporary, name)
    let size = (try? file.status().size) ?? 0
    makeRoom(for: size, of: name, in: directory)
  }

  private func copy(
    _ file: OpenFile, to name: String, in directory: OpenFile
  ) throws(FileError) {
    let copy = try OpenFile(name, .create, in: directory.descriptor, files)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { bytes.deallocate() }
    var position = 0
    while true {
      let count = try files.read(file.descriptor, bytes, position)
      guard count > 0 else { return }
      position += count
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
      _ = try copy.append(RecordParts(head: UnsafeRawBufferPointer(part)))
    }
  }

  /// Removes a value, and what has been downloaded of the next one.
  package func remove(_ name: String) throws(DiskError) {
    try attempt { () throws(FileError) in
      guard let directory = try existing() else { return }
      forgetPart(of: name, in: directory)
      try unlink(name, in: directory)
    }
  }

  func removeAll() throws(DiskError) {
    try attempt { () throws(FileError) in
      guard let directory = try existing() else { return }
      for name in try names(in: directory) { try unlink(name, in: directory) }
    }
  }

  /// The names of the stored files and of the unfinished downloads.
  func names(in directory: OpenFile) throws(FileError) -> [String] {
    try files.names(directory.descriptor).filter(Self.isOwn)
  }

  /// Ends a download that runs, because its file loses its name.
  private func forgetPart(of name: String, in directory: OpenFile) {
    for mark in [Mark.partial, Mark.note] {
      try? files.unlink(directory.descriptor, name + mark)
    }
  }

  private func existing() throws(FileError) -> OpenFile? {
    do throws(FileError) { return try open() } catch  where error.isMissing { return nil }
  }

  func unlink(_ name: String, in directory: OpenFile) throws(FileError) {
    do throws(FileError) {
      try files.unlink(directory.descriptor, name)
    } catch  where error.isMissing {}
  }

  func attempt<Result>(_ body: () throws(FileError) -> Result) throws(DiskError) -> Result {
    do throws(FileError) { return try body() } catch {
      throw .unavailable(
        directory: DirectoryPath.readable(path), operation: error.operation, code: error.code)
    }
  }
}
