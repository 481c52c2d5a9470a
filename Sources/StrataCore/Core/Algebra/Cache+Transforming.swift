extension Cache {
  /// Returns this cache with your own verb applied to it.
  ///
  /// A verb changes only the operations. The plan of the result shows the verb around this cache,
  /// and observers still receive the events of the named caches below the verb. The result has the
  /// same clock as this cache, and is read-only if this cache is. Sums don't back-fill a read-only
  /// cache, and codecs don't call its `set`. Because a verb may delay its operations, a sum adds a
  /// queue that runs one write of a key at a time. Plans show this queue as `ordered`.
  ///
  ///     extension Cache {
  ///       func loud(_ log: @escaping @Sendable (String) -> Void) -> Cache {
  ///         transforming("loud") { operations in
  ///           var result = operations
  ///           result.set = { key, value in
  ///             log("set \(key)")
  ///             return operations.set(key, value)
  ///           }
  ///           return result
  ///         }
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - kind: The kind of the verb. Plans show the kind as the verb's name.
  ///   - arguments: The arguments that plans show, such as `["limit": .count(3)]`.
  ///   - transform: A closure that returns the operations of the resulting cache. It's called
  ///     immediately, and may be called again later, for example for each observer. So create any
  ///     state outside of the closure. The result can have other types of keys and values.
  /// - Law: `a.transforming("v") { $0 } == a`. See
  ///   `CacheTransformingTests.testAVerbThatChangesNothingChangesNothing`.
  public func transforming<NewKey, NewValue>(
    _ kind: CachePlan.Kind, _ arguments: CachePlan.Arguments = [:],
    _ transform:
      @escaping @Sendable (CacheOperations<Key, Value>) -> CacheOperations<NewKey, NewValue>
  ) -> Cache<NewKey, NewValue> {
    transforming(.verb(plan, kind, arguments), conduct: metadata.conduct.delayed(keepsOrder: false))
    { cache, _ in
      transform(cache.operations)
    }
  }

  /// Returns this cache with your own verb applied to its `get` operation.
  ///
  /// All other operations stay the same.
  ///
  ///     extension Cache {
  ///       func filtered(_ isSound: @escaping @Sendable (Value) -> Bool) -> Cache {
  ///         transformingGet("filtered") { get in { key in get(key).filter(isSound) } }
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - kind: The kind of the verb. Plans show the kind as the verb's name.
  ///   - arguments: The arguments that plans show.
  ///   - transform: A closure that receives this cache's `get` and returns the `get` of the
  ///     resulting cache. It's called immediately, and may be called again later, for example for
  ///     each observer. So create any state outside of the closure.
  /// - Law: `a.transformingGet("v") { $0 } == a`. See
  ///   `CacheTransformingTests.testAVerbThatChangesNothingChangesNothing`.
  public func transformingGet(
    _ kind: CachePlan.Kind, _ arguments: CachePlan.Arguments = [:],
    _ transform: @escaping GetTransform<Value>
  ) -> Cache {
    transforming(.verb(plan, kind, arguments)) { cache, _ in
      var result = cache.operations
      result.get = transform(cache.get)
      return result
    }
  }

  /// A function that converts the `get` of a cache into the `get` of the resulting cache.
  public typealias GetTransform<NewValue: Sendable> =
    @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Value>
    ) -> @Sendable (Key) -> Promise<NewValue>

  /// Returns this cache with a verb that has nothing to do on a hit. See `HitGet.swift`.
  ///
  /// - Parameters:
  ///   - get: A closure that creates the `get` of the result, in the caller's module.
  ///   - otherwise: A closure that creates the function for all answers except immediate hits.
  package func passingHits(
    _ plan: CachePlan, _ get: @escaping HitGet, works: @escaping RunningWorks.Visit = { _ in },
    otherwise:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (Key, Promise<Value>) -> Promise<Value>
  ) -> Cache {
    transforming(plan, conduct: metadata.conduct.slower, works: works, passesHits: true) {
      cache, _ in
      var result = cache.operations
      result.get = get(cache.get, otherwise(cache.get))
      return result
    }
  }

  /// Returns this cache with a verb that changes only the plan.
  package func unchanged(by plan: CachePlan) -> Cache {
    transforming(plan, conduct: metadata.conduct, bulk: { $0 }, passesHits: true) { cache, _ in
      cache.operations
    }
  }

  /// Returns this cache with operations transformed by the function `transform`. This function is
  /// called immediately, with `nil` as the `Reporter`. It's called again whenever the cache is
  /// rebuilt, for example with a `Reporter` that sends events to an observer.
  ///
  /// - Parameters:
  ///   - conduct: The guarantees on which a sum may rely. By default, they are those of this cache,
  ///     except that a get may take longer. With this default, the verb must pass on each write
  ///     before its function returns, or replace the write with a removal.
  ///   - keys: A function that converts the keys of tickets. By default, the tickets stay the same
  ///     if the types of the keys are equal, and otherwise there are none.
  ///   - source: A function that converts the source of this cache.
  ///   - bulk: A function that creates the new cache's `BulkGet` from that of this cache. By
  ///     default, the new cache has none.
  ///   - works: A function that adds the work of the verb. The work of this cache is added in any
  ///     case.
  ///   - passesHits: Whether the verb passes on each hit, unchanged and without a trace.
  package func transforming<NewKey, NewValue>(
    _ plan: CachePlan, keys: (@Sendable (NewKey) -> Promise<Key>)? = nil,
    source: @escaping SourceTransform<NewKey> = { $0.rekeyed() },
    bulk: @escaping BulkTransform<NewKey, NewValue> = { _ in nil },
    works: @escaping RunningWorks.Visit = { _ in }, passesHits: Bool = false,
    _ transform:
      @escaping @Sendable (_ cache: Cache, Reporter?) -> CacheOperations<NewKey, NewValue>
  ) -> Cache<NewKey, NewValue> {
    transforming(
      plan, conduct: metadata.conduct.slower, keys: keys, source: source, bulk: bulk, works: works,
      passesHits: passesHits, transform)
  }

  package typealias SourceTransform<NewKey: Hashable & Sendable> =
    @Sendable (CacheSource<Key>) -> CacheSource<NewKey>

  @usableFromInline
  package typealias BulkTransform<NewKey: Hashable & Sendable, NewValue: Sendable> =
    @Sendable (BulkGet<Key, Value>) -> BulkGet<NewKey, NewValue>?

  package func transforming<NewKey, NewValue>(
    _ plan: CachePlan, conduct: Conduct, reporter: Reporter? = nil,
    keys: (@Sendable (NewKey) -> Promise<Key>)? = nil,
    source: @escaping SourceTransform<NewKey> = { $0.rekeyed() },
    bulk: @escaping BulkTransform<NewKey, NewValue> = { _ in nil },
    works: @escaping RunningWorks.Visit = { _ in }, passesHits: Bool = false,
    _ transform:
      @escaping @Sendable (_ cache: Cache, Reporter?) -> CacheOperations<NewKey, NewValue>
  ) -> Cache<NewKey, NewValue> {
    let operations = transform(self, reporter)
    var properties = CacheMetadata<NewKey, NewValue>.Properties(plan: plan)
    properties.isReadOnly = metadata.isReadOnly
    properties.clock = metadata.clock
    properties.awaitedBound = metadata.properties.awaitedBound
    properties.conduct = conduct
    properties.forget = operations.dropLoad
    properties.expire = operations.expire
    properties.rebuilding = { change in
      self.changedBelow(by: change, clock: metadata.clock).map { below, new in
        below.transforming(
          plan, conduct: conduct, reporter: new ?? reporter, keys: keys, source: source, bulk: bulk,
          works: works, passesHits: passesHits, transform)
      }
    }
    properties.tickets = tickets(of: keys) {
      $0.transforming(
        plan, conduct: conduct, reporter: reporter, keys: keys, source: source, bulk: bulk,
        works: works, passesHits: passesHits, transform)
    }
    properties.source = source(self.source)
    properties.bulk = metadata.bulk.flatMap(bulk)
    if keys == nil {  // The original of a mapped key is unknown.
      properties.listing = metadata.properties.listing as? @Sendable () -> [NewKey]
    }
    if passesHits {
      properties.hit = metadata.properties.hit as? @Sendable (NewKey) -> Promise<NewValue>
    }
    properties.works = { all in
      all.add(of: self)
      works(&all)
    }
    return Cache<NewKey, NewValue>(operations, metadata: CacheMetadata(properties))
  }

  /// Returns this cache with a change below the verb, and the verb's new reporter. Returns `nil` if
  /// the change affects only the verb.
  private func changedBelow<NewKey, NewValue>(
    by change: CacheMetadata<NewKey, NewValue>.Change, clock: TimeSource?
  ) -> (Cache, Reporter?)? {
    switch change {
    case .reporting(let reporter): (reporting(to: reporter), reporter)
    case .reading(let mode): (changed(by: .reading(mode)), nil)
    case .clocked: nil
    case .awaited(let bound):
      metadata.conduct.isSum ? (changed(by: .awaited(bound)), nil) : nil
    case .writesWithin(let limit):
      metadata.conduct.isSum ? (changed(by: .writesWithin(limit)), nil) : nil
    }
  }

  /// Returns the tickets of the cache that `again` makes from this cache.
  private func tickets<NewKey, NewValue>(
    of keys: (@Sendable (NewKey) -> Promise<Key>)?,
    _ again: @escaping @Sendable (Cache) -> Cache<NewKey, NewValue>
  ) -> Tickets<NewKey, NewValue>? {
    guard let tickets = metadata.tickets else { return nil }
    let filling = { @Sendable (ticket: any Sendable) in again(tickets.filling(ticket)) }
    if let keys {
      return Tickets<NewKey, NewValue>(
        take: { key, rejects in keys(key).flatMap { tickets.take($0, rejects) } },
        filling: filling)
    }
    return (tickets.take as? Tickets<NewKey, NewValue>.Take).map {
      Tickets<NewKey, NewValue>(take: $0, filling: filling)
    }
  }
}
