import Synchronization

extension Cache {
  /// Returns a cache around this cache, and a `CacheChanges` that reports the changes made through
  /// the returned cache.
  ///
  /// A change is a successful `set`, `remove`, `clear`, or `expire`, or a back-fill with which a sum
  /// copies a found value into the returned cache. An `expire` counts as a removal, even if
  /// `refreshing` keeps the stale value as a fallback. A back-fill also counts if the level refuses
  /// it without an error, for example because a tag of the value was removed during the load.
  ///
  /// Failed or cancelled writes aren't reported, even if a level has stored the value. The same holds
  /// for writes that bypass the returned cache, and for values that are evicted, that reach their
  /// deadline, or whose tag is removed.
  ///
  ///     let (pages, changes) = (memory + disk).broadcasting()
  ///     for await change in changes.stream(for: "home") { print(change) }
  ///
  /// Writes to one key reach the levels one after another, so their changes are reported in the
  /// same order. Therefore the last change reported for a key matches the key's stored value, unless
  /// the value has changed in a way that isn't reported.
  ///
  /// - Complexity: O(1) for a get. O(n) for a write to a key with n listeners, or for a `clear`
  ///   with n listeners in total.
  /// - Law: `a.broadcasting().cache == a` if operations don't overlap. Each change is reported
  ///   once, and the last change reported for a key matches the key's stored value. See
  ///   `broadcasts.sequence`, `broadcasts.completeness`, and `broadcasts.order`, checked by
  ///   `VerbLaws`.
  @inlinable
  public func broadcasting() -> (cache: Cache, changes: CacheChanges<Key, Value>) {
    broadcasting { get, queue in { key in queue.readUnchanged(key, get) } }
  }

  /// - Parameter reading: A function that returns the cache's `get`. That `get` waits for earlier
  ///   writes of its key. The caller's module compiles it.
  @usableFromInline
  func broadcasting(
    reading: @escaping DecodingGet<Value>
  ) -> (cache: Cache, changes: CacheChanges<Key, Value>) {
    let (changes, queue) = (CacheChanges<Key, Value>(), KeyedQueue())
    let cache = transforming(
      .verb(plan, "broadcasting"), conduct: metadata.conduct.delayed(keepsOrder: true),
      works: { $0.add(queue.work) }
    ) {
      cache, _ in
      let below = cache.operations
      @Sendable func write(
        _ key: Key?, _ change: CacheChange<Value>,
        _ write: @escaping @Sendable () -> Promise<Void>
      ) -> Promise<Void> {
        queue.write(key.map(KeyVersions.hash)) {
          write().observed { if case .success = $0 { changes.report(key, change) } }
        }
      }
      return CacheOperations(
        get: reading(below.get, queue),
        set: { key, value in write(key, .stored(value)) { below.set(key, value) } },
        remove: { key in write(key, .removed) { below.remove(key) } },
        clear: { write(nil, .removed, below.clear) },
        memoryWarning: below.memoryWarning, dropLoad: below.dropLoad,
        expire: { key in write(key, .removed) { below.expire(key) } })
    }
    return (cache, changes)
  }
}

/// A change to the value of a key.
public enum CacheChange<Value: Sendable>: Sendable {
  /// A value was stored.
  case stored(Value)
  /// A `remove` or a `clear` removed the value, or an `expire` made it stale.
  case removed

  /// The stored value, or `nil` if the value was removed.
  public var value: Value? {
    guard case .stored(let value) = self else { return nil }
    return value
  }
}

extension CacheChange: Equatable where Value: Equatable {}

/// A source of streams that report the changes made through a cache. See ``Cache/broadcasting()``.
public struct CacheChanges<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Listener = AsyncStream<CacheChange<Value>>.Continuation

  private struct State {
    var lastID = 0
    var listeners: [Int: [(id: Int, key: Key, listener: Listener)]] = [:]  // By the key's hash.
  }

  private let state = Lock(State())
  private let keys = ListenedKeys()

  /// Returns a stream of the changes that are made to one key after this call.
  ///
  ///     let next = await changes.stream(for: "home").first { _ in true }
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - limit: The maximum number of changes in the buffer for a slow reader. The default is 16. A
  ///     number below one counts as one. When the buffer is full, a new change replaces the oldest
  ///     one.
  /// - Returns: A stream that ends only when the reading task is cancelled.
  public func stream(for key: Key, bufferingNewest limit: Int = 16) -> AsyncStream<
    CacheChange<Value>
  > {
    let hash = key.hashValue
    let (stream, listener) = AsyncStream<CacheChange<Value>>.makeStream(
      bufferingPolicy: .bufferingNewest(max(1, limit)))
    let id = state.withLock { state in
      state.lastID += 1
      state.listeners[hash, default: []].append((state.lastID, key, listener))
      keys.count.store(state.listeners.count, ordering: .releasing)
      return state.lastID
    }
    listener.onTermination = { [state, keys] _ in
      // The closure returns the old listeners, so their keys are released outside the lock.
      _ = state.withLock { state in
        let old = state.listeners[hash]
        let rest = old?.filter { $0.id != id } ?? []
        state.listeners[hash] = rest.isEmpty ? nil : rest
        keys.count.store(state.listeners.count, ordering: .releasing)
        return old
      }
    }
    return stream
  }

  /// The number of listeners.
  var listeners: Int { state.withLock { $0.listeners.values.reduce(0) { $0 + $1.count } } }

  func report(_ key: Key?, _ change: CacheChange<Value>) {
    guard keys.count.load(ordering: .acquiring) > 0 else { return }
    let hash = key?.hashValue
    let found = state.withLock { state in
      hash.map { state.listeners[$0] ?? [] } ?? state.listeners.values.flatMap(\.self)
    }
    for (_, ofKey, listener) in found {
      if let key, !KeyHash.areSame(ofKey, key) { continue }
      listener.yield(change)
    }
  }
}

/// The number of keys that have listeners. Without any, a write reports nothing, and takes no lock.
private final class ListenedKeys: Sendable {
  let count = Atomic(0)
}
