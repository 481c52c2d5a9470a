extension Cache {
  /// Returns a cache that holds only keys that meet a condition.
  ///
  /// For any other key, a get fails with the miss ``CacheError/conditionNotSatisfied``, so a sum
  /// reads the next level. `set` succeeds for such a key, but stores nothing. It also removes a
  /// value that the level may have stored while the key still met the condition.
  ///
  ///     let found = memory + disk.conditioned { key in !key.hasPrefix("private/") } + network
  ///
  /// - Parameter condition: A closure that returns whether the level may hold a key. It runs once
  ///   for each get and each `set`, on the caller's thread. When it throws, the operation fails
  ///   with that error, and a `set` also removes the key's value.
  /// - Complexity: O(1). Hits don't allocate.
  /// - Law: `a.conditioned { _ in true } == a` and `a.conditioned(p).conditioned(q) ==
  ///   a.conditioned { q && p }`. See `condition.truth`, `condition.conjunction`, and the other
  ///   laws of `Laws.conditions`, checked by `ConditionLaws`.
  @inlinable
  public func conditioned(_ condition: @escaping @Sendable (Key) throws -> Bool) -> Cache {
    conditioned(condition) { get in
      { key in
        do {
          return try condition(key)
            ? get(key) : Promise(error: CacheError.conditionNotSatisfied)
        } catch { return Promise(error: error) }
      }
    }
  }

  @usableFromInline
  func conditioned(
    _ condition: @escaping @Sendable (Key) throws -> Bool, get: @escaping GetTransform<Value>
  ) -> Cache {
    transforming(.verb(plan, .conditioned)) { cache, _ in
      let below = cache.operations
      return CacheOperations(
        get: get(below.get),
        set: { key, value in
          do { return try condition(key) ? below.set(key, value) : below.remove(key) } catch {
            return below.remove(key).flatMapOutcome { _ in Promise(error: error) }
          }
        },
        remove: below.remove, clear: below.clear, memoryWarning: below.memoryWarning,
        dropLoad: below.dropLoad, expire: below.expire)
    }
  }

  /// Returns a cache that holds only keys that meet an async condition.
  ///
  /// An operation that is cancelled while its condition runs doesn't reach the level.
  ///
  /// - Parameter condition: A closure that returns whether the level may hold a key. It runs once
  ///   for each get and each `set`, in a separate task, which is cancelled with the operation. When
  ///   it throws, the operation fails with that error, and a `set` also removes the key's value.
  /// - Law: An async condition satisfies all laws of a synchronous condition, and also the law
  ///   `condition.late`. See `ConditionLaws`.
  @_disfavoredOverload
  public func conditioned(
    _ condition: @escaping @Sendable (Key) async throws -> Bool
  ) -> Cache {
    conditioned(when: { key in Promise { try await condition(key) } })
  }

  /// Returns a cache that holds only keys for which the promise from `condition` succeeds with
  /// `true`. The operations of each key keep their order.
  package func conditioned(
    when condition: @escaping @Sendable (Key) -> Promise<Bool>
  ) -> Cache {
    let queue = KeyedQueue()
    return transforming(
      .verb(plan, .conditioned), conduct: metadata.conduct.delayed(), works: { $0.add(queue.work) }
    ) { cache, _ in
      let below = cache.operations
      return CacheOperations(
        get: { key in
          queue.read(KeyVersions.hash(key)) {
            condition(key).flatMap { isMet in
              isMet ? below.get(key) : Promise(error: CacheError.conditionNotSatisfied)
            }
          }
        },
        set: { key, value in
          let isMet = condition(key).flatMapOutcome { Promise<Promise<Bool>.Outcome>($0) }
          return queue.write(KeyVersions.hash(key), preparing: isMet) { isMet in
            switch isMet {
            case .success(true): below.set(key, value)
            case .success: below.remove(key)
            case .failure(let error):
              below.remove(key).flatMapOutcome { _ in Promise(error: error) }
            case .cancelled: .cancelled
            }
          }
        },
        remove: { key in
          queue.write(KeyVersions.hash(key), preparing: Promise()) { below.remove(key) }
        },
        clear: { queue.write(nil, preparing: Promise()) { below.clear() } },
        memoryWarning: below.memoryWarning, dropLoad: below.dropLoad,
        expire: { key in
          queue.write(key.map(KeyVersions.hash), preparing: Promise()) { below.expire(key) }
        })
    }
  }
}

extension CachePlan.Kind {
  /// The kind of `conditioned`.
  package static let conditioned: Self = "conditioned"
}
