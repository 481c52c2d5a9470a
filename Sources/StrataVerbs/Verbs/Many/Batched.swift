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
  /// When a sum back-fills a loaded batch, it leaves out the keys that have been written since the
  /// load began, even as a part of another batch.
  ///
  /// - Complexity: O(n) for n keys.
  /// - Law: With one key, a batch behaves like a single operation on that key. See `batch.single`,
  ///   checked by `BatchLaws`. With different numbers of keys and values, a `set` fails with
  ///   ``UnequalCounts``. See `BatchedTests.testUnequalCountsAreRejected`.
  public func batched() -> Cache<[Key], [Value]> {
    // A sum doesn't back-fill a read-only cache.
    if metadata.isReadOnly { return batched { cache in cache } }
    let (order, queue) = (
      SumOrder(levels: 1), KeyedQueue(clearsAtOnce: true, bounding: plan.stage)
    )
    let tickets = single(order, queue).ownTickets
    let works: RunningWorks.Visit = { works in
      for work in [order.work, queue.work] { works.add(work) }
    }
    return batched(works: works) { cache in cache.inTurn(order, queue) }
      .filledByTicket(
        take: { keys, rejects in
          let watch = BatchWatch(keys.map(KeyVersions.hash), in: order)
          return Promise.all(keys.map { tickets.take($0, rejects) }).map { taken in
            let taken = taken.compactMap(\.self)
            return taken.count == keys.count ? BatchTicket(tickets: taken, watch: watch) : nil
          }
        },
        set: { keys, values, ticket in
          let taken = (ticket as? BatchTicket)?.tickets ?? []
          guard keys.count == values.count, keys.count == taken.count else {
            return Promise(error: UnequalCounts(keys: keys.count, values: values.count))
          }
          return .joint(
            taken.indices.map { tickets.filling(taken[$0]).set(keys[$0], values[$0]) })
        })
  }

  /// - Parameter inTurn: Returns a cache whose operations on a key take turns with the back-fills.
  private func batched(
    works: @escaping RunningWorks.Visit = { _ in },
    _ inTurn: @escaping @Sendable (Cache) -> Cache
  ) -> Cache<[Key], [Value]> {
    transforming(.verb(plan, "batched"), works: works) { cache, _ in
      let cache = inTurn(cache)
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

  /// - Parameter queue: The queue of a cache that doesn't keep the order of its calls.
  private func single(_ order: SumOrder, _ queue: KeyedQueue) -> Sum<Key, Value> {
    Sum([.init(self, queue: queue, isVerbOnly: true)], order: order, clock: clock, reporter: nil)
  }

  /// Returns this cache, whose writes take the turns of `order`, as back-fills do.
  private func inTurn(_ order: SumOrder, _ queue: KeyedQueue) -> Cache {
    let (sum, bulk) = (single(order, queue), metadata.bulk)
    var operations = operations
    operations.get = { sum.get($0) }
    operations.set = { key, value in sum.write(key) { cache, _ in cache.set(key, value) } }
    operations.remove = { key in sum.write(key) { cache, _ in cache.remove(key) } }
    operations.clear = { sum.write(nil) { cache, _ in cache.clear() } }
    operations.expire = { key in sum.write(key) { cache, _ in cache.operations.expire(key) } }
    return Cache(
      operations,
      metadata: metadata.with {
        ($0.expire, $0.hit) = (operations.expire, nil)
        $0.bulk = bulk.map { bulk in
          BulkGet { order.isTopQuiet && queue.isQuiet ? bulk.get($0) : nil }
        }
      })
  }
}
