import Foundation

extension Cache where Key == String, Value == Data {
  /// A level on disk: bytes under strings, verified on every read, that survive the process.
  ///
  /// Several caches and processes may share a folder: what a `set`, `remove` or `clear` has done
  /// when it returns, every later `get` sees in every process. Nothing corrupt is ever returned: a
  /// record carries its key and a checksum, and a damaged one is a miss. `set` settles when the
  /// system has the bytes, so they survive the process but perhaps not a power cut, after which an
  /// older value may be back. Files are readable for the user alone; foreign files are neither read
  /// nor deleted. Not for network file systems, where records may overlap and then be misses.
  ///
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .disk("pages") <*> .utf8
  ///
  /// - Parameters:
  ///   - name: The folder's name; any string, none leads out of `directory`.
  ///   - directory: Where the folder is made, a file URL; `Strata` in the user's caches directory
  ///     unless told otherwise (`$XDG_CACHE_HOME` or `~/.cache` on Linux).
  ///   - capacity: In bytes, 100 MB unless told otherwise; caches of one folder in a process share
  ///     the smallest, and each process keeps to its own. A record takes 64 bytes more than key and
  ///     value, and its older versions count until their part of the log goes. Never exceeded,
  ///     after reopening neither; but several processes may exceed it by a record each. What was
  ///     written longest ago goes first, unless it was read since: that is written again, up to
  ///     half of its part. At least 4 KiB are used and at most 128 GiB, whatever is asked for; a
  ///     single record may take half of what was asked for.
  /// - Returns: A cache whose `set`, `remove` and `clear` fail with ``DiskError``, of which each
  ///   case says what to do. A folder that cannot be used is a miss for `get`, and heals when it
  ///   can be made again. A memory warning changes nothing.
  /// - Complexity: One read of the record for a get, one write for a set, whatever the number of
  ///   records; 40 bytes of memory for each, and a file open for each of the segments, of which
  ///   there are 16 to 64. The work is done on the caller's thread, and promises are settled when
  ///   they are returned; only a record beyond 256 KiB is read, and a value beyond 1 MiB written,
  ///   on another thread. What is asked of its key meanwhile waits for that write, and so does a
  ///   clear, and all that is asked after the clear.
  /// - Law: a get after a settled set answers that value or misses, and a memory warning loses
  ///   nothing: `level.reading`, `level.persistence` and others of `Laws.level`; see `LevelLaws`.
  public static func disk(
    _ name: String = "default", in directory: URL? = nil, capacity: Int = 100_000_000
  ) -> Cache {
    disk(storage: DiskStorage(name, in: directory, capacity: capacity))
  }

  /// A level on disk, over a storage whose figures and capacity are of interest.
  ///
  ///     let storage = DiskStorage("pages", capacity: 500_000_000)
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .disk(storage: storage) <*> .utf8
  ///     storage.statistics.bytes  // what it takes at the moment
  public static func disk(storage: DiskStorage) -> Cache {
    let capacity = max(0, storage.capacity)
    return disk(
      storage.log, face: .bytes, plan: .level("disk", detail: CachePlan.bytes(capacity)))
  }
}

extension Cache {
  /// Not there for other keys and values: the level knows strings and bytes, the algebra the rest.
  @available(
    *, unavailable,
    message: """
      the disk level is a Cache<String, Data>: write a key map before it and a codec after it, as in \
      \\.absoluteString <^> .disk("name") <*> .json()
      """
  )
  public static func disk(
    _ name: String = "default", in directory: URL? = nil, capacity: Int = 100_000_000
  ) -> Cache {
    .empty
  }
}
