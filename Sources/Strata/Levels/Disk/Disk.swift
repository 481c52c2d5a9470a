import Foundation

extension Cache where Key == String, Value == Data {
  /// A level on disk: bytes under strings, verified on every read, that survive the process.
  ///
  /// Nothing corrupt is ever returned: a record carries its key and a checksum, and one that is
  /// damaged is a miss and is removed. `set` settles when the system has the bytes; nothing is
  /// fsynced, so after a power cut a record is whole or a miss. Several caches and processes may
  /// share a folder; those of one process share its store, and the smallest of their capacities.
  /// Files are readable for the user alone; foreign files are neither read nor deleted.
  ///
  ///     let pages: Cache<URL, String> = \.absoluteString <^> .disk("pages") <*> .utf8
  ///
  /// - Parameters:
  ///   - name: The folder's name; any string, none leads out of `directory`.
  ///   - directory: Where the folder is made; `Strata` in the user's caches directory unless told
  ///     otherwise (`$XDG_CACHE_HOME` or `~/.cache` on Linux).
  ///   - capacity: In bytes, 100 MB unless told otherwise, with 48 bytes and the key for each record.
  ///     The least recently used records go first, when it is exceeded and after reopening too.
  /// - Returns: A cache whose `set`, `remove` and `clear` fail with ``DiskError``, of which each case
  ///   says what to do. A folder that cannot be used is a miss for `get`, and heals when it can be
  ///   made again. A memory warning changes nothing.
  /// - Complexity: One file opened, read and verified for each get. All work is done on the caller's
  ///   thread, and the promises are settled when they are returned.
  /// - Law: a get after a settled set answers that value or misses, and a memory warning loses
  ///   nothing: `level.reading`, `level.persistence` and others of `Laws.level`; see `LevelLaws`.
  public static func disk(
    _ name: String = "default", in directory: URL? = nil, capacity: Int = 100_000_000
  ) -> Cache {
    disk(
      DiskStore.at(DiskFolder.path(forLevel: name, in: directory), capacity: capacity),
      plan: .level("disk", detail: CachePlan.bytes(max(0, capacity))), reporter: nil)
  }

  static func disk(_ store: DiskStore, plan: CachePlan, reporter: Reporter?) -> Cache {
    Cache(
      get: { key in store.read(key).map { Promise($0) } ?? .miss },
      set: { key, value in
        Promise(catching: {
          let evicted = try store.write(value, for: key)
          for _ in 0..<evicted {
            reporter?.report(.eviction, nil, since: nil, Promise<Void>.Outcome.success(()))
          }
        })
      },
      remove: { key in Promise(catching: { try store.remove(key) }) },
      clear: { Promise(catching: { try store.removeAll() }) },
      memoryWarning: {},
      spine: Spine(plan: plan, reporting: { disk(store, plan: plan, reporter: $0) }))
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
