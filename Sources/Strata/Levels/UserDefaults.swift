import Foundation

extension Cache where Key == String, Value == Data {
  /// A level in the user's defaults: bytes under strings, for few and small values.
  ///
  /// Its keys have names of their own within the suite, so the application's are neither read nor
  /// changed, not even by `removeAll()`. Instances of one suite are one store. What stands under a
  /// name of the level and was not written by it, or was damaged, is a miss and stays there until
  /// it is set.
  ///
  ///     let drafts: Cache<String, String> = .userDefaults(suite: "drafts") <*> .utf8
  ///
  /// - Parameter suite: The suite's name, `strata` unless told otherwise; any string. The name of
  ///   the application itself stands for its standard defaults.
  /// - Returns: A cache of which nothing fails: where the system cannot write its file, values live
  ///   as long as the process. A memory warning changes nothing. There is no bound: the system
  ///   keeps all of a suite in memory, and writes it as a whole.
  /// - Complexity: A get is one look-up. A write is O(n) in the size of the suite on Linux, where
  ///   it is written to the file before the promise settles; elsewhere the system does so when it
  ///   likes. All work is done on the caller's thread, but for what waits for a write of its key.
  /// - Law: a get after a settled set answers that value, and a memory warning loses nothing:
  ///   `level.reading`, `level.persistence` and others of `Laws.level`; see `LevelLaws`.
  public static func userDefaults(suite: String = "strata") -> Cache {
    let suite = UserDefaultsSuite.named(suite)
    let order = suite.order
    return Cache(
      get: { key in order.read(key) { Promise(suite.value(for: key), or: plainMiss) } },
      set: { key, value in order.write(key) { suite.set(value, for: key) } },
      remove: { key in order.write(key) { suite.remove(key) } },
      clear: { order.write(nil) { suite.removeAll() } },
      memoryWarning: {},
      spine: Spine(plan: .level("userDefaults", detail: "\"\(suite.name)\"")))
  }
}

extension Cache {
  /// Not there for other keys and values: the level knows strings and bytes, the algebra the rest.
  @available(
    *, unavailable,
    message: """
      the defaults level is a Cache<String, Data>: write a key map before it and a codec after it, \
      as in \\.absoluteString <^> .userDefaults() <*> .json()
      """
  )
  public static func userDefaults(suite: String = "strata") -> Cache { .empty }
}
