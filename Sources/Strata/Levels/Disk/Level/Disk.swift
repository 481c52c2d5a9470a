import Foundation

extension Cache where Key == String, Value == Data {
  /// Returns a level on disk that stores bytes under strings.
  ///
  /// Several caches and processes may share a directory: every `get` that starts after a `set`,
  /// `remove` or `clear` has returned sees its effect, in every process. A damaged value is a miss,
  /// because every read verifies the key and a checksum. A `set` survives the end of the process.
  /// It may not survive a power failure, which can bring back an older value. <doc:TheDiskLevel>
  /// lists the promises. Network file systems aren't supported.
  ///
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .disk("pages") <*> .utf8
  ///
  /// - Parameters:
  ///   - name: The directory's name. Any string is valid and stays inside `directory`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory (`$XDG_CACHE_HOME` or `~/.cache` on Linux).
  ///   - capacity: The capacity in bytes. The default is 100 MB. The minimum is 4 KiB, and the
  ///     maximum is 128 GiB. A record takes 72 bytes more than key and value, and at most half of
  ///     the capacity. Outdated records count until their segment is evicted. Caches of one
  ///     directory in a process share the smallest capacity. Each other process may exceed that
  ///     capacity by one record. Evictions remove the oldest values first. They write a value again
  ///     if a get has read it.
  ///   - offMainThread: Whether operations called on the main thread run on another thread. The
  ///     codecs above the level then also leave the main thread for values of more than 512 bytes.
  ///     The default is `true`.
  /// - Returns: A cache whose `set`, `remove` and `clear` fail with ``DiskError``. A `get` of a
  ///   directory that can't be used is a miss. A memory warning has no effect.
  /// - Complexity: O(1): one read for a get, one write for a set. A record takes 40 bytes of
  ///   memory, and 16 to 64 files are open. The work runs on the caller's thread, unless that is
  ///   the main thread. Records beyond 256 KiB are read, and values beyond 1 MiB written, on
  ///   another thread. Later operations of the key wait for such a write, and so do a clear and the
  ///   operations after the clear.
  /// - Law: A get after a settled set returns the value or misses, and a memory warning removes no
  ///   value: `level.reading`, `level.persistence` and more of `Laws.level`. See `LevelLaws`.
  public static func disk(
    _ name: String = "default", in directory: URL? = nil, capacity: Int = 100_000_000,
    offMainThread: Bool = true
  ) -> Cache {
    disk(
      storage: DiskStorage(name, in: directory, capacity: capacity), offMainThread: offMainThread)
  }

  /// Returns a level on disk over a storage. The storage has statistics, and can change its
  /// capacity.
  ///
  ///     let storage = DiskStorage("pages", capacity: 500_000_000)
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .disk(storage: storage) <*> .utf8
  ///     storage.statistics.bytes  // the bytes of all files
  ///
  /// - Parameters:
  ///   - storage: The storage of the level.
  ///   - offMainThread: Whether operations called on the main thread run on another thread. The
  ///     default is `true`.
  public static func disk(storage: DiskStorage, offMainThread: Bool = true) -> Cache {
    disk(storage.log, format: .bytes, plan: .disk(storage.capacity, offMainThread))
  }
}

extension CachePlan {
  /// The plan of a disk level. It also states the threads of the level, and of the codecs above the
  /// level.
  static func disk(_ capacity: Int, _ offMainThread: Bool) -> CachePlan {
    var arguments: Arguments = [nil: .bytes(max(0, capacity))]
    if !offMainThread { arguments["offMainThread"] = .name("false") }
    return .level("disk", .storage, arguments)
  }
}

extension Cache {
  /// Unavailable for other keys and values. Map the keys, and add a codec.
  @available(
    *, unavailable,
    message: """
      the disk level is a Cache<String, Data>: write a key map before it and a codec after it, as in \
      \\.absoluteString <^> .disk("name") <*> .json()
      """
  )
  public static func disk(
    _ name: String = "default", in directory: URL? = nil, capacity: Int = 100_000_000,
    offMainThread: Bool = true
  ) -> Cache {
    unavailable()
  }
}
