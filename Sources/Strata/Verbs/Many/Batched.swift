import Foundation

/// The error of a batched set with different numbers of keys and values. The set stores no value.
public struct UnequalCounts: LocalizedError, Equatable, CustomStringConvertible {
  /// The number of keys.
  public let keys: Int
  /// The number of values.
  public let values: Int

  /// The fault and its remedy.
  public var description: String {
    "\(values) values for \(keys) keys, so no value was stored. Pass one value for each key."
  }

  /// The description, for user interfaces.
  public var errorDescription: String? { description }
}

extension Cache {
  /// Returns a cache that gets, sets, or removes many keys of this cache at a time. Its keys and
  /// values are arrays.
  ///
  /// A get returns the values in the order of the keys. Without keys, it returns an empty array.
  /// The first failure ends the get and withdraws from the other gets. A set stores each value
  /// under the key at the same index, and a remove removes each key. Both settle when the
  /// operations of all keys have settled. If any have failed, they report the first failure in the
  /// order of the keys. Cancelling an operation withdraws from the pending operations of its keys.
  ///
  ///     let many = disk.batched()  // Cache<[String], [Data]>
  ///     try await many.set([Data(), Data()], for: ["a", "b"]).value
  ///
  /// In a sum of batched caches, a whole batch is one entry. To store the values separately, batch
  /// the sum: `(memory + disk).batched()`.
  ///
  /// - Complexity: O(n) for n keys.
  /// - Law: a batch of one key behaves like an operation of that key: `batch.single`. See
  ///   `BatchLaws`. A set with unequal counts fails with ``UnequalCounts``:
  ///   `BatchedTests.testUnequalCountsAreRejected`.
  public func batched() -> Cache<[Key], [Value]> {
    transforming(.verb(plan, "batched")) { cache, _ in
      let below = cache.operations
      return CacheOperations<[Key], [Value]>(
        get: { keys in cache.getAll(keys) },
        set: { keys, values in
          guard keys.count == values.count else {
            return Promise(error: UnequalCounts(keys: keys.count, values: values.count))
          }
          return .joint(zip(keys, values).map(below.set))
        },
        remove: { keys in .joint(keys.map(below.remove)) },
        clear: below.clear, memoryWarning: below.memoryWarning,
        forget: { keys in
          guard let keys else { return below.forget(nil) }
          for key in keys { below.forget(key) }
        })
    }
  }
}

extension Fetcher {
  /// Returns a fetcher that gets many keys of this fetcher at a time. See ``Cache/batched()``.
  ///
  /// - Law: the same laws as for a cache. See `BatchedTests.testAFetcherIsBatchedToo`.
  public func batched() -> Fetcher<[Key], [Value]> { Fetcher<[Key], [Value]>(cache.batched()) }
}
