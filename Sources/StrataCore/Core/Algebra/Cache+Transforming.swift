extension Cache {
  /// Returns this cache with your own verb applied to it.
  ///
  /// Only the operations of this cache change. In the plan of the result, the verb is around this
  /// cache. Observers still receive the events of the named caches below the verb. Its clock is the
  /// same, and if this cache is read-only, so is the result. Such a cache isn't back-filled by a
  /// sum, and a codec doesn't call its `set`. Because a verb may delay its operations, a sum adds a
  /// queue that runs one write of a key at a time. In the plan, that is `ordered`.
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
  ///     immediately, and can be called again later, for example for each observer. So create any
  ///     state outside of it. Keys and values of the result can have different types.
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
  /// All other operations reach this cache unchanged.
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
  ///     resulting cache. It's called immediately, and can be called again later, for example for
  ///     each observer. So create any state outside of it.
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
  ///   - get: Makes the `get` of the result, in the caller's module.
  ///   - otherwise: Makes the function that answers where the level hasn't answered with a hit.
  func passingHits(
    _ plan: CachePlan, _ get: @escaping HitGet,
    otherwise:
      @escaping @Sendable (
        _ get: @escaping @Sendable (Key) -> Promise<Value>
      ) -> @Sendable (Key, Promise<Value>) -> Promise<Value>
  ) -> Cache {
    transforming(plan, conduct: metadata.conduct.slower, passesHits: true) { cache, _ in
      var result = cache.operations
      result.get = get(cache.get, otherwise(cache.get))
      return result
    }
  }

  /// Returns this cache with operations transformed by the function `transform`. It's called
  /// immediately, with `nil` as the `Reporter`. And it's called again each time the cache is
  /// rebuilt, for example with a `Reporter` that sends events to an observer.
  ///
  /// - Parameters:
  ///   - conduct: What a sum may rely on. By default, the same as for this cache, except that a get
  ///     may take longer. Then the verb must pass on each write before its function returns, or
  ///     replace it by a removal.
  ///   - keys: A function that converts the keys of tickets. By default, the tickets stay the same.
  ///     When the types of the keys differ, there are none by default.
  ///   - source: A function that converts the source of this cache.
  ///   - bulk: A function that makes the new cache's `BulkGet` from that of this cache. By default, the
  ///     new cache has none.
  ///   - works: Adds the work of the verb. The work of this cache is added in any case.
  ///   - passesHits: Whether the verb passes each hit on, unchanged and without a trace.
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

  func transforming<NewKey, NewValue>(
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

  /// Returns this cache, changed below a verb, and the verb's new reporter. Returns `nil` if the
  /// change concerns only the verb.
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
