extension Cache {
  /// Returns this cache together with the changes that callers make through it.
  ///
  /// A change is a successful write: a set, a remove, a clear, or a back-fill by a sum around the
  /// returned cache. A failed or cancelled write isn't reported, even though a level may have
  /// stored its value. A write that reaches the same levels without going through the returned
  /// cache isn't reported either.
  ///
  ///     let (pages, changes) = (memory + disk).broadcasting()
  ///     for await change in changes.stream(for: "home") { print(change) }
  ///
  /// The writes of one key reach the levels one after another. Changes are therefore reported in
  /// the order of the writes, and the last reported change matches the stored value.
  ///
  /// - Complexity: O(1) for a get. A write of a key is O(n) in the number of listeners of that key.
  ///   A clear is O(n) in the number of all listeners.
  /// - Law: `a.broadcasting().cache == a` for one operation at a time: `broadcasts.sequence`. Each
  ///   change is reported once, and the last change matches the stored value:
  ///   `broadcasts.completeness` and `broadcasts.order`. See `VerbLaws`.
  public func broadcasting() -> (cache: Cache, changes: CacheChanges<Key, Value>) {
    let (changes, order) = (CacheChanges<Key, Value>(), OperationOrder(.level))
    let cache = transforming("broadcasting") { below in
      @Sendable func write(
        _ key: Key?, _ change: CacheChange<Value>,
        _ write: @escaping @Sendable () -> Promise<Void>
      ) -> Promise<Void> {
        order.write(key.map(OperationOrder.hash)) {
          write().observed { if case .success = $0 { changes.report(key, change) } }
        }
      }
      return CacheOperations(
        get: { key in order.read(OperationOrder.hash(key)) { below.get(key) } },
        set: { key, value in write(key, .stored(value)) { below.set(key, value) } },
        remove: { key in write(key, .removed) { below.remove(key) } },
        clear: { write(nil, .removed, below.clear) },
        memoryWarning: below.memoryWarning, forget: below.forget)
    }
    return (cache, changes)
  }
}

/// A change to the value of a key.
public enum CacheChange<Value: Sendable>: Sendable {
  /// A value was stored.
  case stored(Value)
  /// A remove or a clear removed the value.
  case removed

  /// The stored value, or `nil` if the value was removed.
  public var value: Value? {
    guard case .stored(let value) = self else { return nil }
    return value
  }
}

extension CacheChange: Equatable where Value: Equatable {}

/// The changes that callers make through a cache. See ``Cache/broadcasting()``.
public struct CacheChanges<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Listener = AsyncStream<CacheChange<Value>>.Continuation

  private struct State {
    var lastID = 0
    var listeners: [Int: [(id: Int, key: Key, listener: Listener)]] = [:]  // By the key's hash.
  }

  private let state = Lock(State())

  /// Returns a stream of the changes to one key that occur after this call.
  ///
  ///     let next = await changes.stream(for: "home").first { _ in true }
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - limit: The maximum number of changes to buffer for a slow reader, at least one. If the
  ///     buffer is full, a new change replaces the oldest change. The default is 16.
  /// - Returns: A stream that ends only when the task that reads it is cancelled.
  public func stream(for key: Key, bufferingNewest limit: Int = 16) -> AsyncStream<
    CacheChange<Value>
  > {
    let hash = key.hashValue
    let (stream, listener) = AsyncStream<CacheChange<Value>>.makeStream(
      bufferingPolicy: .bufferingNewest(max(1, limit)))
    let id = state.withLock { state in
      state.lastID += 1
      state.listeners[hash, default: []].append((state.lastID, key, listener))
      return state.lastID
    }
    listener.onTermination = { [state] _ in
      // Returns the listener, so that its key is released outside the lock.
      _ = state.withLock { state in
        let old = state.listeners[hash]
        let rest = old?.filter { $0.id != id } ?? []
        state.listeners[hash] = rest.isEmpty ? nil : rest
        return old
      }
    }
    return stream
  }

  /// The number of listeners.
  var listeners: Int { state.withLock { $0.listeners.values.reduce(0) { $0 + $1.count } } }

  func report(_ key: Key?, _ change: CacheChange<Value>) {
    let hash = key?.hashValue
    let found = state.withLock { state in
      hash.map { state.listeners[$0] ?? [] } ?? state.listeners.values.flatMap(\.self)
    }
    for (_, ofKey, listener) in found where key == nil || ofKey == key { listener.yield(change) }
  }
}
