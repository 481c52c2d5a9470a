import Foundation

extension Cache where Key == String, Value == Data {
  /// Returns a level that stores a few small values in the user defaults.
  ///
  /// The level prefixes its keys, so it never reads or changes the application's defaults, not even
  /// in `removeAll()`. All levels of a suite share their values. If a value under a prefixed key is
  /// damaged, or wasn't written by the level, it's a miss. A `set` replaces such a value.
  ///
  ///     let drafts: Cache<String, String> = .userDefaults(suite: "drafts") <*> .utf8
  ///
  /// - Parameter suite: The name of the suite, which can be any string. The default is `strata`.
  ///   The bundle identifier of the application selects its standard defaults.
  /// - Returns: A cache whose operations never fail. If the system can't write the suite's file,
  ///   the values are lost when the process ends. The level ignores memory warnings. It has no
  ///   capacity, and the system holds the whole suite in memory.
  /// - Complexity: A get is one lookup. On Linux, a write takes O(n), where n is the size of the
  ///   suite, because it writes the file before its promise settles. On other systems, Foundation
  ///   writes the file later. An operation runs on the caller's thread, unless it must wait for an
  ///   earlier write of the same key.
  /// - Law: a get after a settled set returns that value, and a memory warning evicts no entry:
  ///   `level.reading`, `level.persistence` and more of `Laws.level`. See `LevelLaws`.
  public static func userDefaults(suite: String = "strata") -> Cache {
    let suite = UserDefaultsSuite.named(suite)
    let order = suite.order
    return Cache(
      get: { key in
        order.read(OperationOrder.hash(key)) { Promise(suite.value(for: key), or: plainMiss) }
      },
      set: { key, value in order.write(OperationOrder.hash(key)) { suite.set(value, for: key) } },
      remove: { key in order.write(OperationOrder.hash(key)) { suite.remove(key) } },
      clear: { order.write(nil) { suite.removeAll() } },
      memoryWarning: {},
      metadata: CacheMetadata(plan: .level("userDefaults", .storage, [nil: .text(suite.name)])))
  }
}

extension Cache {
  /// Unavailable because the level stores only `Data` values under `String` keys.
  @available(
    *, unavailable,
    message: """
      the defaults level is a Cache<String, Data>: write a key map before it and a codec after it, \
      as in \\.absoluteString <^> .userDefaults() <*> .json()
      """
  )
  public static func userDefaults(suite: String = "strata") -> Cache { unavailable() }
}
