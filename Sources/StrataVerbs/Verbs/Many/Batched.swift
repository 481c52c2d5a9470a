import Foundation

/// The error of a batched `set` that receives different numbers of keys and values. Such a `set`
/// stores nothing.
public struct UnequalCounts: LocalizedError, Equatable, CustomStringConvertible {
  /// The number of keys.
  public let keys: Int
  /// The number of values.
  public let values: Int

  /// The error and its remedy.
  public var description: String {
    "\(values) values for \(keys) keys, so no value was stored. Pass one value for each key."
  }

  /// The description, for user interfaces.
  public var errorDescription: String? { description }
}

extension Cache {
  /// Returns a cache that gets, sets, or removes many keys in one call. Each of its keys is an
  /// array of keys of this cache, and each of its values an array of values.
  ///
  /// A get returns the values in the order of the keys. For an empty array of keys, it returns an
  /// empty array. When the get of one key fails, the batched get fails as well. Then the gets of
  /// the other keys stop, unless another caller waits for them.
  ///
  /// A `set` stores each value under the key at the same index, and a `remove` removes all keys.
  /// This batched write settles when the writes to all keys have settled. When some of them fail,
  /// its error is the error of the first failed key in the array. Cancelling a batched operation
  /// stops its pending work, unless another caller needs that work.
  ///
  ///     let many = disk.batched()  // Cache<[String], [Data]>
  ///     try await many.set([Data(), Data()], for: ["a", "b"])
  ///
  /// A sum of batched caches treats a whole batch as one entry. When a level has no value for one
  /// of the keys, the sum reads the whole batch from the next level. In contrast,
  /// `(memory + disk).batched()` reads each key from the first level that contains it.
  ///
  /// - Complexity: O(n) for n keys.
  /// - Law: With one key, a batch behaves like a single operation on that key. See `batch.single`,
  ///   checked by `BatchLaws`. With different numbers of keys and values, a `set` fails with
  ///   ``UnequalCounts``. See `BatchedTests.testUnequalCountsAreRejected`.
  public func batched() -> Cache<[Key], [Value]> {
    transforming(.verb(plan, "batched")) { cache, _ in
      let below = cache.operations
      return CacheOperations<[Key], [Value]>(
        get: { keys in cache.values(of: keys) },
        set: { keys, values in
          guard keys.count == values.count else {
            return Promise(error: UnequalCounts(keys: keys.count, values: values.count))
          }
          return .joint(zip(keys, values).map(below.set))
        },
        remove: { keys in .joint(keys.map(below.remove)) },
        clear: below.clear, memoryWarning: below.memoryWarning,
        dropLoad: { keys in
          guard let keys else { return below.dropLoad(nil) }
          for key in keys { below.dropLoad(key) }
        }, expire: { keys in keys.map { .joint($0.map(below.expire)) } ?? below.expire(nil) })
    }
  }
}
