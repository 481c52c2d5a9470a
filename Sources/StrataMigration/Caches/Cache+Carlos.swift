import Dispatch
import StrataVerbs

extension Cache {
  /// Returns this cache with another cache below it. This is `+`, or
  /// `backed(by:)`.
  ///
  /// Unlike in Carlos, a get doesn't wait until the upper cache has stored its value.
  ///
  /// - Law: `a.compose(b) == a + b`. See `CacheCarlosTests`.
  public func compose(_ lower: Cache) -> Cache { backed(by: lower) }

  /// Returns a cache under other keys. This is `<^>`, or `mapKeys`.
  ///
  /// - Law: `a.transformKeys(f) == f <^> a`. See `CacheCarlosTests`.
  public func transformKeys<NewKey: Hashable & Sendable>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> Cache<NewKey, Value> { mapKeys(transform) }

  /// Returns a cache of other values. This is `<*>`, or `mapValues`.
  ///
  /// - Law: `a.transformValues(c) == a <*> c`. See `CacheCarlosTests`.
  public func transformValues<NewValue: Sendable>(
    _ codec: Codec<Value, NewValue>
  ) -> Cache<Key, NewValue> { mapValues(codec) }

  /// Returns a cache that transforms the value of each get. This is `postProcessed`.
  ///
  /// - Law: `a.postProcess(t) == a.postProcessed(t)`. See `CacheCarlosTests`.
  public func postProcess(_ transformer: Transformer<Value, Value>) -> Cache {
    postProcessed(transformer)
  }

  /// Returns a cache of lists of keys and values. This is `batched`.
  ///
  /// - Law: `a.allBatch() == a.batched()`. See `CacheCarlosTests`.
  public func allBatch() -> Cache<[Key], [Value]> { batched() }

  /// Returns the values of many keys, in the order of the keys. When one get fails, the result
  /// fails. This is a get of a `batched()` cache.
  ///
  /// - Law: `a.batchGetAll(ks) == a.batched().get(ks)`. See `CacheCarlosTests`.
  public func batchGetAll(_ keys: some Sequence<Key>) -> Promise<[Value]> { values(of: keys) }

  /// Returns the values that were found for many keys, in the order of the keys. `outcomes(for:)`
  /// also returns the misses and the failures.
  ///
  /// - Law: The values are those of `a.outcomes(for: ks)`. See `CacheCarlosTests`.
  public func batchGetSome(_ keys: some Sequence<Key>) -> Promise<[Value]> {
    outcomes(of: keys).map { $0.compactMap(\.value) }
  }

  /// Returns a cache that limits the number of concurrent gets. This is
  /// `limited(toConcurrentGets:)`.
  ///
  /// - Law: `a.capRequests(n) == a.limited(toConcurrentGets: n)`. See `CacheCarlosTests`.
  public func capRequests(_ count: Int) -> Cache { limited(toConcurrentGets: count) }

  /// Returns a cache whose operations run on a dispatch queue. This is `dispatched(on:)`.
  ///
  /// - Law: `a.dispatch(q) == a.dispatched(on: q)`. See `CacheCarlosTests`.
  public func dispatch(_ queue: DispatchQueue) -> Cache { dispatched(on: queue) }

  /// Reports that memory is short. This is `memoryWarning()`.
  ///
  /// - Law: `a.onMemoryWarning() == a.memoryWarning()`. See `CacheCarlosTests`.
  public func onMemoryWarning() { memoryWarning() }
}
