import Foundation
import Synchronization

/// A file descriptor, which is closed when the last reference to this object is released.
final class OpenFile: Sendable {
  let descriptor: Descriptor
  let files: FileSystem
  /// The total number of files that disk levels have open.
  private static let count = Atomic<Int>(0)

  @inline(never)
  init(
    _ name: String, _ mode: OpenMode, in directory: Descriptor = AT_FDCWD, _ files: FileSystem
  ) throws(FileError) {
    (descriptor, self.files) = (try files.open(directory, name, mode), files)
    OpenFile.count.add(1, ordering: .relaxed)
  }

  deinit {
    files.close(descriptor)
    OpenFile.count.subtract(1, ordering: .relaxed)
  }

  func end() throws(FileError) -> Int { try files.end(descriptor) }
  func status() throws(FileError) -> FileStatus { try files.status(descriptor) }

  /// Appends the parts in one call, and returns their range in the file.
  func append(_ parts: RecordParts) throws(FileError) -> Range<Int> {
    guard try files.append(descriptor, parts) == parts.count else { throw .short }
    let end = try files.position(descriptor)
    return max(0, end - parts.count)..<end
  }

  /// Appends one zero byte, which can't be a record, and returns its range.
  func appendNoRecord() throws(FileError) -> Range<Int> {
    try withUnsafeBytes(of: UInt8(0)) { byte throws(FileError) in
      try append(RecordParts(head: byte))
    }
  }

  /// Whether all disk levels together use more than half of this process's descriptor limit.
  var isOverBudget: Bool { Self.count.load(ordering: .relaxed) > files.limits().descriptors / 2 }
}
