extension Cache {
  /// Returns this cache with your own verb applied to it.
  ///
  /// The verb changes only the operations of this cache. The plan of the resulting cache shows the
  /// verb around this cache. Observers still receive the events of the named caches below the verb.
  /// The resulting cache has the same clock as this cache. If this cache is read-only, the
  /// resulting cache is read-only too. A sum doesn't back-fill a read-only cache, and a codec
  /// doesn't call the `set` of a read-only cache.
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
  ///   - transform: A closure that returns the operations of the resulting cache. The closure is
  ///     called immediately, and can be called again later, for example for each observer. Create
  ///     any state outside of the closure. The resulting cache can have different key and value
  ///     types.
  /// - Law: `a.transforming("v") { $0 } == a`. See
  ///   `CacheTransformingTests.testAVerbThatChangesNothingChangesNothing`.
  public func transforming<NewKey, NewValue>(
    _ kind: CachePlan.Kind, _ arguments: CachePlan.Arguments = [:],
    _ transform:
      @escaping @Sendable (CacheOperations<Key, Value>) -> CacheOperations<NewKey, NewValue>
  ) -> Cache<NewKey, NewValue> {
    transforming(.verb(plan, kind, arguments)) { cache, _ in
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
  ///     resulting cache. The closure is called immediately, and can be called again later, for
  ///     example for each observer. Create any state outside of the closure.
  /// - Law: `a.transformingGet("v") { $0 } == a`. See
  ///   `CacheTransformingTests.testAVerbThatChangesNothingChangesNothing`.
  public func transformingGet(
    _ kind: CachePlan.Kind, _ arguments: CachePlan.Arguments = [:],
    _ transform: @escaping GetTransform<Value>
  ) -> Cache {
    transforming(kind, arguments) { operations in
      var result = operations
      result.get = transform(operations.get)
      return result
    }
  }

  /// A function that converts the `get` of a cache into the `get` of the resulting cache.
  public typealias GetTransform<NewValue: Sendable> =
    @Sendable (
      _ get: @escaping @Sendable (Key) -> Promise<Value>
    ) -> @Sendable (Key) -> Promise<NewValue>

  /// Returns this cache with operations transformed by the function `transform`. This method calls
  /// `transform` immediately, and passes `nil` as the `Reporter`. The function is called again each
  /// time the cache is rebuilt, for example with a `Reporter` that sends events to an observer.
  ///
  /// - Parameter claims: A function that converts this cache's `LeaseClaims` into the `LeaseClaims`
  ///   of the resulting cache. By default, the resulting cache has the same claims as this cache.
  ///   If the types of their keys differ, the resulting cache has no claims by default.
  /// - Parameter source: A function that converts this cache's `CacheSource`. By default, the
  ///   resulting cache has the same storage, and the same requests if the keys have the same type.
  /// - Parameter bulk: A function that converts this cache's `BulkGet`. By default, the resulting
  ///   cache has no bulk get.
  package func transforming<NewKey, NewValue>(
    _ plan: CachePlan,
    claims: @escaping ClaimsTransform<NewKey> = { $0 as? LeaseClaims<NewKey> },
    source: @escaping SourceTransform<NewKey> = { $0.rekeyed() },
    bulk: @escaping BulkTransform<NewKey, NewValue> = { _ in nil },
    _ transform:
      @escaping @Sendable (_ cache: Cache, Reporter?) -> CacheOperations<NewKey, NewValue>
  ) -> Cache<NewKey, NewValue> {
    transforming(plan, reporter: nil, claims, source, bulk, transform)
  }

  package typealias ClaimsTransform<NewKey: Sendable> =
    @Sendable (LeaseClaims<Key>) -> LeaseClaims<NewKey>?

  package typealias SourceTransform<NewKey: Hashable & Sendable> =
    @Sendable (CacheSource<Key>) -> CacheSource<NewKey>

  @usableFromInline
  package typealias BulkTransform<NewKey: Hashable & Sendable, NewValue: Sendable> =
    @Sendable (BulkGet<Key, Value>) -> BulkGet<NewKey, NewValue>?

  private func transforming<NewKey, NewValue>(
    _ plan: CachePlan, reporter: Reporter?, _ claims: @escaping ClaimsTransform<NewKey>,
    _ source: @escaping SourceTransform<NewKey>,
    _ bulk: @escaping BulkTransform<NewKey, NewValue>,
    _ transform:
      @escaping @Sendable (_ cache: Cache, Reporter?) -> CacheOperations<NewKey, NewValue>
  ) -> Cache<NewKey, NewValue> {
    let operations = transform(self, reporter)
    return Cache<NewKey, NewValue>(
      operations,
      metadata: CacheMetadata<NewKey, NewValue>(
        plan: plan, isReadOnly: metadata.isReadOnly, clock: metadata.clock,
        patience: metadata.patience, forget: operations.forget,
        reporting: { reporter in
          reporting(to: reporter).transforming(
            plan, reporter: reporter, claims, source, bulk, transform)
        },
        leasing: metadata.leasingRebuilt {
          $0.transforming(plan, reporter: reporter, claims, source, bulk, transform)
        }, claims: metadata.claims.flatMap(claims), source: source(self.source),
        bulk: metadata.bulk.flatMap(bulk)))
  }

  /// Returns a copy of this cache whose stages report events to `reporter`. If this cache has no
  /// stages that report events, returns this cache unchanged.
  @usableFromInline
  package func reporting(to reporter: Reporter) -> Cache { metadata.reporting?(reporter) ?? self }
}
