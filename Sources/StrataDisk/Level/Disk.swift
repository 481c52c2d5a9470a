import Foundation

extension Cache where Key == String, Value == Data {
  /// Returns a level on disk with `String` keys and `Data` values.
  ///
  /// Several caches and processes may share a directory. After a `set`, `remove`, or `clear` has
  /// returned, every later `get` in any process sees its effect. Because every read verifies the
  /// key and a checksum, a damaged value is a miss.
  ///
  /// Values survive the end of the process. But a power failure may lose recent writes, and bring
  /// an older value back. <doc:TheDiskLevel> lists all guarantees. Network file systems aren't
  /// supported.
  ///
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .disk("pages") <*> .utf8
  ///
  /// - Parameters:
  ///   - name: The directory's name. Any string is valid, and the path stays inside `directory`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory (`$XDG_CACHE_HOME` or `$HOME/.cache` on Linux).
  ///   - capacity: The capacity in bytes, from 4 KiB to 128 GiB. The default is 100 MB. Each record
  ///     takes 72 bytes plus its key and value, and must not exceed half of the capacity. Outdated
  ///     records count, too, until their file is evicted. All caches of a directory, in all live
  ///     processes, share the largest of their capacities, which each additional process can exceed
  ///     by one record. On a volume with less room, the level is smaller. Only writes evict: they
  ///     remove the oldest values, but usually keep each value that a get has read. Without space
  ///     for the record of a `remove`, a full volume loses all values.
  ///   - offMainThread: Whether to use another thread for operations that are called on the main
  ///     thread. If `true`, codecs above the level don't process values of more than 512 bytes on
  ///     the main thread. The default is `true`.
  /// - Returns: A cache whose `set`, `remove`, and `clear` can fail with ``DiskError``. Where the
  ///   directory can't be used, every `get` is a miss, and the level reports the reason once: to an
  ///   observer as an ``CacheEvent/Operation/unusable`` event, or else on standard error. To find
  ///   out at the start, call ``DiskStorage/open()``. A memory warning has no effect.
  /// - Complexity: O(1): one read for a `get` and one write for a `set`. Each record takes 40 bytes
  ///   of memory, and the level keeps 16 to 64 files open. Operations run on the caller's thread,
  ///   unless it's the main thread. Reads of records over 256 KiB, and writes of values over 1 MiB,
  ///   run on another thread. During a write on another thread, later operations on the same key
  ///   wait. In addition, a `clear` waits for earlier writes, and all later operations wait for the
  ///   `clear`.
  /// - Law: After a `set` has settled, a `get` returns the stored value or is a miss. Memory
  ///   warnings don't remove any values. See `level.reading`, `level.persistence`, and the rest of
  ///   `Laws.level`, in `LevelLaws`.
  public static func disk(
    _ name: String, in directory: URL? = nil, capacity: Int = 100_000_000,
    offMainThread: Bool = true
  ) -> Cache {
    disk(
      DiskStorage(name, in: directory, capacity: capacity), offMainThread: offMainThread)
  }

  /// Returns a level that stores bytes in a `DiskStorage`, which has an adjustable capacity.
  ///
  ///     let storage = DiskStorage("pages", capacity: 500_000_000)
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .disk(storage) <*> .utf8
  ///     storage.statistics.bytes  // the total size of all files
  ///
  /// - Parameters:
  ///   - storage: The storage of the level.
  ///   - offMainThread: Whether to use another thread for operations that are called on the main
  ///     thread. The default is `true`.
  public static func disk(_ storage: DiskStorage, offMainThread: Bool = true) -> Cache {
    disk(storage.log, format: .bytes, plan: .disk(storage.capacity, offMainThread))
  }
}

extension CachePlan {
  /// Returns the plan of a disk level, which states whether operations leave the main thread.
  static func disk(_ capacity: Int, _ offMainThread: Bool) -> CachePlan {
    var arguments: Arguments = [nil: .bytes(max(0, capacity))]
    if !offMainThread { arguments["offMainThread"] = .name("false") }
    let plan = level("disk", .storage, arguments)
    return offMainThread ? plan.leavingMainThread() : plan
  }
}

extension Cache {
  /// Unavailable without a key map and a codec, because a disk level is a `Cache<String, Data>`.
  @available(
    *, unavailable,
    message: """
      the disk level is a Cache<String, Data>: write a key map before it and a codec after it, as in \
      \\.absoluteString <^> .disk("name") <*> .json()
      """
  )
  public static func disk(
    _ name: String, in directory: URL? = nil, capacity: Int = 100_000_000,
    offMainThread: Bool = true
  ) -> Cache {
    unavailable()
  }
}
