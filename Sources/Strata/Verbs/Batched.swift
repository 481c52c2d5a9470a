import Foundation

/// What a write of a batch fails with if there are not as many values as keys; nothing is stored.
public struct UnequalCounts: LocalizedError, Equatable, CustomStringConvertible {
  /// How many keys there were.
  public let keys: Int
  /// How many values there were.
  public let values: Int

  /// What happened, and what to do about it.
  public var description: String {
    "\(values) values for \(keys) keys: nothing was stored. Give one value for each key."
  }

  /// The description, for those who show errors to people.
  public var errorDescription: String? { description }
}

extension Cache {
  /// Returns this cache for many keys at a time: one key for it is an array of keys.
  ///
  /// A get answers in the order of the keys, of no keys with nothing, at once; the first failure
  /// ends it and withdraws from the others. A set pairs keys and values, a remove removes each key;
  /// both settle when all have, with the first failure in the order of the keys. Cancelling
  /// withdraws from each that has not settled.
  ///
  ///     let many = disk.batched()  // Cache<[String], [Data]>
  ///     try await many.set([Data(), Data()], for: ["a", "b"]).value
  ///
  /// In a sum, a batch is one entry: put the sum inside, `(memory + disk).batched()`, to keep
  /// single ones.
  ///
  /// - Complexity: O(n) for n keys.
  /// - Law: a batch of one key is the key: `batch.single`; see `BatchLaws`. A set with unequal
  ///   counts fails with ``UnequalCounts``: `BatchedTests.testUnequalCountsAreRejected`.
  @inlinable
  public func batched() -> Cache<[Key], [Value]> {
    batched { cache in { keys in cache.getAll(keys) } }
  }

  /// - Parameter asking: How it is asked: made where the types are known, so that a hit is compiled
  ///   for them.
  @usableFromInline
  func batched(
    asking: @escaping @Sendable (Cache) -> @Sendable ([Key]) -> Promise<[Value]>
  ) -> Cache<[Key], [Value]> {
    let (set, remove) = (set, remove)
    return Cache<[Key], [Value]>(
      get: asking(self),
      set: { keys, values in
        guard keys.count == values.count else {
          return Promise(error: UnequalCounts(keys: keys.count, values: values.count))
        }
        return .joint(zip(keys, values).map(set))
      },
      remove: { keys in .joint(keys.map(remove)) },
      clear: clear, memoryWarning: memoryWarning,
      spine: Spine<[Key], [Value]>(
        plan: .verb(plan, name: "batched"), isReadOnly: spine.isReadOnly,
        forget: { [spine] keys in
          guard let keys else { return spine.forget(nil) }
          for key in keys { spine.forget(key) }
        },
        reporting: spine.reporting { $0.batched(asking: asking) }))
  }
}

extension Fetcher {
  /// Returns this fetcher for many keys at a time; see ``Cache/batched()``.
  ///
  /// - Law: as for a cache; see `BatchedTests.testAFetcherIsBatchedToo`.
  public func batched() -> Fetcher<[Key], [Value]> { Fetcher<[Key], [Value]>(cache.batched()) }
}
