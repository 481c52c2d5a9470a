/// A folder of records, bounded in bytes: the inside of the disk level.
///
/// The folder itself is the index. A read asks the file system and nothing else, so it finds what
/// any store in any process has written; memory holds only an estimate of the bytes used, which is
/// corrected whenever the folder is scanned. A file becomes visible whole, by being renamed.
///
/// Threads: any. Writes go one at a time and hold the lock during their calls to the file system;
/// reads take no lock that a write holds.
final class DiskStore: Sendable {
  /// The folder's path, without links above the last component.
  let directory: String
  let files: FileSystem
  /// Injected by tests, which let all keys collide.
  let fileName: @Sendable (String) -> String
  /// Held by writers and scans.
  let usage: Lock<Usage>
  /// Whether the folder was scanned; held during that one scan, before `usage` and never after it.
  private let isOpened = Lock(false)
  private let bound: Lock<Int>

  /// Makes a store that shares nothing with others in this process; see `at`.
  init(
    directory: String, capacity: Int, files: FileSystem = .system,
    fileName: @escaping @Sendable (String) -> String = DiskNames.record
  ) {
    self.directory = directory
    self.files = files
    self.fileName = fileName
    usage = Lock(Usage())
    bound = Lock(max(0, capacity))
  }

  /// The most bytes that whole record files may take, header and key included.
  var capacity: Int { bound.withLock { $0 } }

  /// Lowers the capacity; the next write makes room.
  func limit(to capacity: Int) {
    bound.withLock { $0 = min($0, max(0, capacity)) }
  }

  /// Sweeps and measures the folder at the first use, whatever that is.
  ///
  /// Not when the store is made: making a cache must not wait for a disk.
  func openOnce() {
    isOpened.withLock { isOpened in
      guard !isOpened else { return }
      isOpened = true
      let capacity = capacity
      usage.withLock { usage in
        _ = try? withFolder { folder throws(FileSystemError) in
          trim(folder, &usage) { $0 > capacity ? Self.lowWater(capacity) : $0 }
        }
      }
    }
  }
}

extension DiskStore {
  /// The stores in use, by canonical path.
  private static let stores = Lock<[String: Weak]>([:])

  private struct Weak {
    weak var store: DiskStore?
  }

  /// Returns the store that all of this process use for a folder, making it if there is none.
  ///
  /// Those who ask for different capacities share the smallest, for it keeps every promise.
  static func at(
    _ directory: String, capacity: Int, files: FileSystem = .system
  ) -> DiskStore {
    let path = DiskFolder.canonical(DiskFolder.plain(directory), in: files)
    let new = DiskStore(directory: path, capacity: capacity, files: files)
    let store = stores.withLock { stores in
      if let known = stores[path]?.store { return known }
      stores = stores.filter { $0.value.store != nil }
      stores[path] = Weak(store: new)
      return new
    }
    store.limit(to: capacity)
    return store
  }
}
