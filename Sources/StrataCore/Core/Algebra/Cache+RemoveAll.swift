import Foundation

/// The error of a removal by a condition if a level can't list its keys. The removal then changes
/// nothing.
public struct UnlistedKeys: LocalizedError, Equatable, CustomStringConvertible {
  /// The plan of the cache.
  public let plan: String

  /// The error and its remedy.
  public var description: String {
    """
    \(plan) can't list its keys, so nothing was removed. Only memory and dictionary levels can. \
    Use tags, or apply the call to the memory level.
    """
  }

  /// The description, for user interfaces.
  public var errorDescription: String? { description }
}

extension Cache {
  /// Removes the values of all keys that satisfy a condition.
  ///
  /// Only memory and dictionary levels can list their keys. A sum or a verb above such levels can
  /// list them, too, unless it changes the type of the keys. To remove groups of values from any
  /// level, give the values tags. See ``tagged(by:_:)``.
  ///
  ///     let recent: Cache<Int, String> = .memory()
  ///     try await recent.removeAll { id in id < 1_000 }
  ///
  /// A get that is in flight during the removal stores nothing, so it can't bring back a removed
  /// value.
  ///
  /// - Parameter condition: A closure that returns whether to remove the value of a key. It runs
  ///   once for each stored key, on the caller's thread.
  /// - Throws: ``UnlistedKeys`` if a level can't list its keys, or the first error of a removal.
  /// - Complexity: O(n) for n stored keys.
  /// - Law: The effect is the same as that of removing each key that satisfies the condition. See
  ///   `removal.keys`, checked by `RemovalLaws`.
  public func removeAll(where condition: (Key) -> Bool) async throws {
    try await removal(where: condition).value
  }

  /// Begins to remove the values of all keys that satisfy a condition.
  package func removal(where condition: (Key) -> Bool) -> Promise<Void> {
    guard let keys = metadata.properties.listing else {
      return Promise(error: UnlistedKeys(plan: "\(plan)"))
    }
    // The list doesn't contain the keys of loads in flight, so these loads must not be stored or
    // joined.
    LoadEpoch.beginWithFills()
    let matching = keys().filter(condition)
    return .joint(matching.map(remove))
  }

  /// Removes the values of all keys that begin with a prefix.
  ///
  ///     let words: Cache<String, Int> = .memory()
  ///     try await words.removeAll(under: "news/")
  ///
  /// - Parameter prefix: The prefix.
  /// - Throws: The same errors as ``removeAll(where:)``.
  /// - Law: The caches `("a/" + key) <^> c` and `("b/" + key) <^> c` are parts of `c`. Then
  ///   `c.removeAll(under: "a/")` clears the first one, and doesn't change the second. See
  ///   `CacheRemoveAllTests`.
  public func removeAll(under prefix: String) async throws where Key == String {
    try await removeAll { $0.hasPrefix(prefix) }
  }
}
