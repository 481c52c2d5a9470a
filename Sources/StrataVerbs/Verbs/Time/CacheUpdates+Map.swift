extension CacheUpdates /* : Contravariant in Key */ {
  /// Returns a `CacheUpdates` value whose reads map their keys with a function.
  ///
  ///     let updates = disk.updating(from: memory.fetcher)
  ///     let pages = updates.mapKeys(\URL.absoluteString)  // CacheUpdates<URL, Data>
  ///
  /// - Parameter transform: A closure that maps a new key to a key of this `CacheUpdates` value. It
  ///   runs once for each read, on the caller's thread. When it throws, the stream ends with that
  ///   error, and the read calls neither the cache nor the fetcher.
  /// - Law: `u.mapKeys(id) == u` and `u.mapKeys(g).mapKeys(f) == u.mapKeys { g(f($0)) }`. See
  ///   `updates.keys` and `updates.keyComposition`, checked by `UpdatesLaws`.
  public func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> CacheUpdates<NewKey, Value> {
    let values = values
    return CacheUpdates<NewKey, Value>(plan: .mappedKeys(plan), cache: cache.mapKeys(transform)) {
      key in
      do { return values(try transform(key)) } catch {
        return AsyncThrowingStream { $0.finish(throwing: error) }
      }
    }
  }
}

extension CacheUpdates /* : Functor in Value */ {
  /// Returns a `CacheUpdates` value whose reads decode each value with a codec.
  ///
  /// A read doesn't wait for a write through ``cache`` that is still encoding its value. To read a
  /// value that you have written, await the write before you begin the read.
  ///
  /// A cached value that can't be decoded isn't delivered. Its decoding error ends the stream only
  /// if neither a fresh value nor another error follows.
  ///
  /// - Parameter codec: The codec. Each read creates a task, which decodes the read's values one
  ///   after another.
  /// - Law: `u.mapValues(.identity) == u` and `u.mapValues(s).mapValues(t) == u.mapValues(s >>>
  ///   t)`. See the laws `updates.values` and `updates.valueComposition`, checked by `UpdatesLaws`.
  public func mapValues<NewValue>(_ codec: Codec<Value, NewValue>) -> CacheUpdates<Key, NewValue> {
    let values = values
    return CacheUpdates<Key, NewValue>(
      plan: .mappedValues(plan, by: codec), cache: cache.mapValues(codec)
    ) {
      key in
      let updates = values(key)
      return AsyncThrowingStream { continuation in
        let task = Task {
          do {
            try await decode(updates, codec.decode) { continuation.yield($0) }
            continuation.finish()
          } catch {
            continuation.finish(throwing: error)
          }
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }
  }
}

/// Decodes the updates of a stream, one after another. Throws the decoding error of a cached value
/// only if no fresh value follows.
private func decode<Value, NewValue>(
  _ updates: AsyncThrowingStream<CacheUpdate<Value>, any Error>,
  _ decode: @Sendable (Value) -> Promise<NewValue>, yield: (CacheUpdate<NewValue>) -> Void
) async throws {
  var failure: (any Error)?
  for try await update in updates {
    do {
      yield(CacheUpdate(try await decode(update.value).value, from: update.source))
      failure = nil
    } catch {
      guard update.source == .cached, !Task.isCancelled else { throw error }
      failure = error
    }
  }
  if let failure { throw failure }
}
