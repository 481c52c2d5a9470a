import Foundation

extension Cache where Key == String, Value == Data {
  /// Returns a level that stores a few small values in the user defaults.
  ///
  /// The level adds the prefix `strata:` to its keys, so it never touches an application's default
  /// with another name. A `remove` and `removeAll()` remove only values that the level has written.
  /// All levels of a process with the same suite share their values. When a stored value is damaged,
  /// or wasn't written by Strata, a `get` of its key misses, and a `set` replaces it.
  ///
  ///     let drafts: Cache<String, String> = .userDefaults(suite: "drafts") <*> .utf8
  ///
  /// - Parameter suite: The name of the suite. Any string is valid. The default is `strata`. If you
  ///   pass the application's bundle identifier, the level uses the standard defaults. On Linux,
  ///   the suite's file is in `$XDG_CONFIG_HOME` or, by default, in `$HOME/.config`.
  /// - Returns: A cache whose operations never fail. When the system can't write the suite's file,
  ///   the values are lost at the end of the process. A memory warning has no effect. There's no
  ///   maximum size, and the system holds the whole suite in memory.
  /// - Complexity: One lookup for a get. On Linux, a write takes O(n) time in the size of the
  ///   suite, because it writes the suite's whole file before its promise settles. On Apple's
  ///   platforms, Foundation writes the file asynchronously. Operations run on the caller's thread,
  ///   unless they must wait for an earlier write to the same key.
  /// - Law: After a `set` has settled, a `get` returns the stored value. A memory warning evicts
  ///   nothing. See `level.reading`, `level.persistence`, and the other laws of `Laws.level` in
  ///   `LevelLaws`.
  public static func userDefaults(suite: String = "strata") -> Cache {
    let suite = UserDefaultsSuite.named(suite)
    let queue = suite.queue
    return Cache(
      get: { key in
        queue.read(KeyVersions.hash(key)) { Promise(suite.value(for: key), or: plainMiss) }
      },
      set: { key, value in queue.write(KeyVersions.hash(key)) { suite.set(value, for: key) } },
      remove: { key in queue.write(KeyVersions.hash(key)) { suite.remove(key) } },
      clear: { queue.write(nil) { suite.removeAll() } },
      memoryWarning: {},
      metadata: CacheMetadata(
        plan: .level("userDefaults", .storage, [nil: .text(suite.name)]),
        works: { $0.add(queue.work) }))
  }
}

extension Cache {
  /// Unavailable, because the level stores only `Data` values under `String` keys.
  @available(
    *, unavailable,
    message: """
      the defaults level is a Cache<String, Data>: write a key map before it and a codec after it, \
      as in \\.absoluteString <^> .userDefaults() <*> .json()
      """
  )
  public static func userDefaults(suite: String = "strata") -> Cache { unavailable() }
}
