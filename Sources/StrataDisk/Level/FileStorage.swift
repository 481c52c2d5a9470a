import Foundation

/// A directory whose files are the values of a level, for bodies that are too large for memory.
///
///     let storage = FileStorage("episodes", capacity: 2_000_000_000)
///     let files: Cache<URL, URL> = .files(storage)
///
/// The names of its files are hashes of the keys, with the suffix of the key's path. Several levels
/// and processes may share a directory.
///
/// You can use it from any thread. Its functions run on the caller's thread.
public struct FileStorage: Sendable {
  package let directory: FileDirectory
  let queue = KeyedQueue(bounding: "files")

  /// Creates a storage. The first write creates the directory.
  ///
  /// - Parameters:
  ///   - name: The directory's name. Any string is valid, and the path stays inside `directory`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory.
  ///   - capacity: The capacity in bytes. The default is 1 GB. Each write evicts the files that
  ///     haven't been used for the longest time. A file that is larger than the capacity isn't stored.
  public init(_ name: String, in directory: URL? = nil, capacity: Int = 1_000_000_000) {
    self.init(
      FileDirectory(DirectoryPath.of(name, in: directory), capacity: capacity))
  }

  init(_ directory: FileDirectory) { self.directory = directory }

  /// The capacity in bytes.
  public var capacity: Int { directory.capacity }

  /// The size of all files in bytes, including incomplete downloads.
  ///
  /// - Complexity: O(n) in the number of files, because it reads the directory.
  public var bytes: Int { directory.size.bytes }
}
