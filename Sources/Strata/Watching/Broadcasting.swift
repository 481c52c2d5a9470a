extension Cache {
  /// Returns this cache together with the changes that are made through it.
  ///
  /// A change is a write that succeeded: a value stored, by a set or by the back-fill of a sum of which
  /// the returned cache is a member, or a value gone, by a remove or a clear. A write that failed or
  /// was cancelled is not told, though a level may have taken it. What others do to the same levels
  /// is not seen.
  ///
  ///     let (pages, changes) = (memory + disk).broadcasting()
  ///     for await change in changes.of("home") { print(change) }
  ///
  /// Writes of one key are given to the levels one after another, so that changes are told in the
  /// order in which they were made: the last one told is what the cache holds.
  ///
  /// - Complexity: O(1) for a get; a write costs O(n) in those who listen to its key, or for a clear to
  ///   any.
  /// - Law: `a.broadcasting().cache == a`, one operation at a time: `broadcasts.sequence`; each change
  ///   is told once, and the last one is what is held: `broadcasts.completeness` and
  ///   `broadcasts.order`. See `VerbLaws`.
  public func broadcasting() -> (cache: Cache, changes: CacheChanges<Key, Value>) {
    let changes = CacheChanges<Key, Value>()
    return (broadcasting(to: changes, order: KeyOrder()), changes)
  }

  private func broadcasting(
    to changes: CacheChanges<Key, Value>, order: KeyOrder<Key>
  ) -> Cache {
    let (get, set, remove, clear) = (get, set, remove, clear)
    @Sendable func telling(
      _ key: Key?, _ change: CacheChange<Value>, _ write: Promise<Void>
    ) -> Promise<Void> {
      write.observed { if case .success = $0 { changes.tell(key, change) } }
    }
    return Cache(
      get: { key in order.isQuiet ? get(key) : order.read(key) { get(key) } },
      set: { key, value in order.write(key) { telling(key, .stored(value), set(key, value)) } },
      remove: { key in order.write(key) { telling(key, .removed, remove(key)) } },
      clear: { order.write(nil) { telling(nil, .removed, clear()) } },
      memoryWarning: memoryWarning,
      spine: Spine(
        plan: .verb(plan, name: "broadcasting"), isReadOnly: spine.isReadOnly,
        forget: spine.forget,
        reporting: spine.reporting { $0.broadcasting(to: changes, order: order) }))
  }
}

/// What happened to the value of a key.
public enum CacheChange<Value: Sendable>: Sendable {
  /// A value was stored.
  case stored(Value)
  /// The value was removed, or all were.
  case removed

  /// The value that was stored; `nil` for one that was removed.
  public var value: Value? {
    guard case .stored(let value) = self else { return nil }
    return value
  }
}

extension CacheChange: Equatable where Value: Equatable {}

/// The changes that are made through a cache; see ``Cache/broadcasting()``.
public struct CacheChanges<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Listener = AsyncStream<CacheChange<Value>>.Continuation

  private struct State {
    var lastID = 0
    var listeners: [Int: [(id: Int, key: Key, listener: Listener)]] = [:]  // By the key's hash.
  }

  private let state = Lock(State())

  /// Returns the changes of one key from now on, as they are made.
  ///
  ///     let next = await changes.of("home").first { _ in true }
  ///
  /// - Parameters:
  ///   - key: Which key.
  ///   - limit: How many changes are kept for a reader that is slow: of more the oldest are dropped,
  ///     never the newest. 16 unless told otherwise; less than one counts as one.
  /// - Returns: A stream that ends when its task is cancelled, and not by itself.
  public func of(_ key: Key, keeping limit: Int = 16) -> AsyncStream<CacheChange<Value>> {
    let hash = key.hashValue
    let (stream, listener) = AsyncStream<CacheChange<Value>>.makeStream(
      bufferingPolicy: .bufferingNewest(max(1, limit)))
    let id = state.withLock { state in
      state.lastID += 1
      state.listeners[hash, default: []].append((state.lastID, key, listener))
      return state.lastID
    }
    listener.onTermination = { [state] _ in
      // What goes is returned, so that the key is released outside the lock.
      _ = state.withLock { state in
        let old = state.listeners[hash]
        let rest = old?.filter { $0.id != id } ?? []
        state.listeners[hash] = rest.isEmpty ? nil : rest
        return old
      }
    }
    return stream
  }

  /// How many listen.
  var listeners: Int { state.withLock { $0.listeners.values.reduce(0) { $0 + $1.count } } }

  func tell(_ key: Key?, _ change: CacheChange<Value>) {
    let hash = key?.hashValue
    let found = state.withLock { state in
      hash.map { state.listeners[$0] ?? [] } ?? state.listeners.values.flatMap(\.self)
    }
    for (_, ofKey, listener) in found where key == nil || ofKey == key { listener.yield(change) }
  }
}
