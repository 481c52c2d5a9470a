import Foundation

/// The open directory of a log, and the two locks that coordinate processes.
///
/// A process takes the *segment lock*, which is on the directory itself, whenever it adds or
/// removes a segment. It holds this lock only for microseconds. While a process has the directory
/// open, it holds the *presence lock* on a separate file, in shared or exclusive mode. On iOS,
/// tvOS, watchOS, and visionOS, it keeps the presence lock only in exclusive mode.
final class LogDirectory: Sendable {
  let file: OpenFile
  let identity: [UInt64]
  private let presence: OpenFile?

  static let presenceName = "processes.lock"

  var descriptor: Descriptor { file.descriptor }

  /// Opens an existing directory that this user owns.
  ///
  /// - Parameter isExclusive: Whether this process must be the only one that uses the directory.
  ///   When another process has it open, and one of the two requires exclusive use, opening fails
  ///   with `EWOULDBLOCK`.
  init(_ path: String, isExclusive: Bool, in files: FileSystem) throws(FileError) {
    file = try OpenFile(path, .directory, files)
    let status = try file.status()
    // Rejects a directory of another user, who could replace its files.
    guard status.isOwn else { throw .foreign }
    identity = status.identity
    do throws(FileError) {
      let lock = try OpenFile(LogDirectory.presenceName, .lock, in: file.descriptor, files)
      try files.lock(lock.descriptor, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB)
      presence = isExclusive || !FileCalls.endsSuspendedLockHolders ? lock : nil
    } catch {
      // A process that can't create the lock file can't write segments either, so it needs no lock.
      guard !isExclusive, error.isForbidden || error.isMissing else { throw error }
      presence = nil
    }
  }

  /// Announces to other processes the capacity that this process requests.
  func ask(for capacity: Int) {
    if let presence { file.files.ask(presence.descriptor, capacity) }
  }

  /// Returns the largest capacity above `capacity` that another process requests, or `nil` if none
  /// does.
  func largestAsk(above capacity: Int) -> Int? {
    presence.flatMap { file.files.largestAsk($0.descriptor, capacity) }
  }

  /// Returns the IDs of all segments in the directory, in ascending order.
  func list() throws(FileError) -> [UInt64] {
    try file.files.names(descriptor).compactMap { SegmentName.id($0) }.sorted()
  }

  /// Removes a file if it's a regular file that this user owns. Ignores a missing file.
  @inline(never)
  func remove(_ name: String) throws(FileError) {
    do {
      guard try file.files.statusOf(descriptor, name).isOwnFile else { return }
      try file.files.unlink(descriptor, name)
    } catch  where error.isMissing {}
  }
}
