/// A way to get many keys of a cache together, for example with one request to a server.
///
/// The results are the same as those of separate gets. So a verb that changes gets must also
/// convert the bulk get of the cache below it. Otherwise, the new cache has no bulk get, and
/// `outcomes(for:)` gets each key separately.
///
/// - Law: `a.outcomes(for: ks)` are the outcomes of `ks.map(a.get)`. See `level.many`, checked by
///   `LevelLaws` and `RedisLevelLaws`.
@usableFromInline
package struct BulkGet<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline package typealias Outcomes = [Promise<Value>.Outcome]

  /// Begins to get keys. Returns promises, each of which succeeds with the outcomes of some
  /// consecutive keys, in the order of the keys. If the caller must get each key separately,
  /// returns `nil` without beginning a get.
  @usableFromInline package let get: @Sendable ([Key]) -> [Promise<Outcomes>]?

  @inlinable
  package init(_ get: @escaping @Sendable ([Key]) -> [Promise<Outcomes>]?) { self.get = get }

  /// Returns the outcomes of all keys, in order. When a whole part fails, all keys fail, because
  /// the number of keys in the part is unknown. Returns `nil` if the caller must get each key
  /// separately.
  @inlinable
  package func all(_ keys: [Key]) -> Promise<Outcomes>? {
    guard let parts = get(keys) else { return nil }
    let all =
      parts.count == 1 ? parts[0] : Promise<Outcomes>.all(parts).map { Array($0.joined()) }
    if case .success = all.state { return all }
    return all.recover { error in keys.map { _ in .failure(error) } }
  }

  /// Returns the values of all keys, in order, or the first failure or cancellation. Returns `nil`
  /// if the caller must get each key separately.
  package func values(_ keys: [Key]) -> Promise<[Value]>? {
    guard let parts = get(keys) else { return nil }
    let values = parts.map { $0.flatMap { Promise<[Value]>(all: $0) } }
    return values.count == 1
      ? values[0] : Promise<[Value]>.all(values).map { Array($0.joined()) }
  }
}

extension Promise {
  /// Creates a settled promise of all values, or of the first failure or cancellation.
  init<Element>(all outcomes: [Promise<Element>.Outcome]) where Value == [Element] {
    var values: [Element] = []
    values.reserveCapacity(outcomes.count)
    for outcome in outcomes {
      switch outcome {
      case .success(let value): values.append(value)
      case .failure(let error):
        self.init(error: error)
        return
      case .cancelled:
        self.init(.cancelled)
        return
      }
    }
    self.init(.success(values))
  }

  /// Returns a promise that succeeds with the outcomes of all promises.
  package static func outcomes(of promises: [Promise]) -> Promise<[Outcome]> {
    let known = promises.compactMap { $0.isReady ? $0.outcome : nil }
    if known.count == promises.count { return Promise<[Outcome]>(.success(known)) }
    return Promise<Outcome>.all(
      promises.map { $0.flatMapOutcome { Promise<Outcome>(.success($0)) } })
  }
}

extension BulkGet {
  /// Creates a bulk get from a function that returns the values that it finds. If keys are
  /// requests, each is a separate get, because a dictionary can't tell requests with different
  /// bodies apart.
  init(loading load: @escaping @Sendable ([Key]) -> Promise<[Key: Value]>) {
    self.init { keys in
      guard !KeyHash.isRequest(Key.self) else { return nil }
      return [
        load(keys).map { found in
          keys.map { key in found[key].map { .success($0) } ?? .failure(CacheError.notFound) }
        }
      ]
    }
  }

  /// Returns a bulk get that is unavailable while a condition holds. Meanwhile, its caller gets
  /// each key separately.
  func unless(_ isBusy: @escaping @Sendable () -> Bool) -> BulkGet {
    BulkGet { [get] keys in isBusy() ? nil : get(keys) }
  }
}

extension BulkGet /* : conversions */ {
  // These functions aren't inlinable, because their specialized copies would add 16 KB of code to a
  // program with one pipeline. A function that isn't specialized takes 6,000 more instructions for
  // each value.

  /// Returns a bulk get whose keys are converted to the keys of this bulk get. When the conversion
  /// of any key fails, the caller must get each key separately.
  @usableFromInline
  func mapKeys<NewKey>(
    _ transform: @escaping @Sendable (NewKey) throws -> Key
  ) -> BulkGet<NewKey, Value> {
    BulkGet<NewKey, Value> { [get] keys in
      (try? keys.map { try callWithCopy(of: $0, transform) }).flatMap(get)
    }
  }

  /// Returns a bulk get whose values are decoded. While `queue` has writes in flight, each get must
  /// wait for the writes of its key. So the caller must then get each key separately.
  @usableFromInline
  func mapValues<NewValue>(
    _ queue: KeyedQueue, _ decode: @escaping @Sendable (Value) -> Promise<NewValue>
  ) -> BulkGet<Key, NewValue> {
    BulkGet<Key, NewValue> { [get] keys in
      guard queue.isQuiet else { return nil }
      return get(keys)?.map { part in
        part.flatMap { outcomes in
          Promise<NewValue>.outcomes(
            of: outcomes.map { Promise<Value>(outcome: $0).flatMap(decode) })
        }
      }
    }
  }
}

extension Cache {
  /// Returns this cache with a bulk get.
  package func gettingMany(_ bulk: BulkGet<Key, Value>) -> Cache {
    Cache(operations, metadata: metadata.with { $0.bulk = bulk })
  }
}
