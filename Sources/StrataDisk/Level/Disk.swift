import Foundation

extension Cache where Key == String, Value == Data {
  /// Returns a level on disk with `String` keys and `Data` values.
  ///
  /// Several caches and processes may share a directory. Once a `set`, `remove`, or `clear` has
  /// settled, every later `get` in any process sees its effect. Each read verifies the key and a
  /// checksum, so a get of a damaged value misses.
  ///
  /// Values survive the end of the process. But a power failure may lose recent writes, so an older
  /// value may come back. <doc:TheDiskLevel> lists all guarantees. Network file systems aren't
  /// supported.
  ///
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .disk("pages") <*> .utf8
  ///
  /// - Parameters:
  ///   - name: The directory's name. Any string is valid, and the path stays inside `directory`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory (`$XDG_CACHE_HOME` or `$HOME/.cache` on Linux).
  ///   - capacity: The capacity in bytes, from 4 KiB to 128 GiB. By default, it's 100 MB. A record
  ///     consists of its key, its value, and 72 bytes, and must not exceed half of the capacity.
  ///     Outdated records also count until their file is evicted. All caches of a directory, in all
  ///     live processes, share the largest of their capacities. Each additional process can exceed
  ///     it by one record. On a volume with less free space, the level is smaller. Only writes
  ///     evict: they remove the oldest values, but usually keep each value that a get has read. If
  ///     a full volume hasn't even space for the record of a `remove`, the level removes all
  ///     values.
  ///   - offMainThread: Whether operations that are called on the main thread run on another one.
  ///     If so, codecs above the level don't process values of more than 512 bytes on the main
  ///     thread, either. The default is `true`.
  /// - Returns: A cache whose `set`, `remove`, and `clear` can fail with ``DiskError``. When the
  ///   directory can't be used, every `get` misses, and the level reports the reason once. An
  ///   observer receives an ``CacheEvent/Operation/unusable`` event, and without one, the reason
  ///   appears on standard error. To learn the reason when your program starts, call
  ///   ``DiskStorage/open()``. A memory warning has no effect.
  /// - Complexity: O(1): one read for a `get`, and one write for a `set`. Each record takes 40
  ///   bytes of memory, and the level keeps 16 to 64 files open. Operations run on the caller's
  ///   thread, unless it's the main thread. But reads of records over 256 KiB, and writes of values
  ///   over 1 MiB, always run on another thread. During a write on another thread, later operations
  ///   on the same key wait. A `clear` waits for all earlier writes, and all later operations wait
  ///   for the `clear`.
  /// - Law: After a `set` has settled, a `get` returns the stored value or misses. A memory warning
  ///   removes no value. See `level.reading`, `level.persistence`, and the rest of `Laws.level`, in
  ///   `LevelLaws`.
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
  ///   - offMainThread: Whether operations that are called on the main thread run on another one.
  ///     The default is `true`.
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
  /// Unavailable, because a disk level is a `Cache<String, Data>`. Map the keys, and add a codec.
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
