/// A read-only cache: something that answers and stores nothing, such as a network.
///
/// Added to a cache it gives a cache; writes to it succeed and change nothing.
///
///     let users: Cache<Int, User> = .memory() + Fetcher { id in try await api.user(id) }
public struct Fetcher<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// This fetcher as a cache whose writes succeed and do nothing.
  public let cache: Cache<Key, Value>

  init(_ cache: Cache<Key, Value>) { self.cache = cache }

  /// Makes a read-only cache; a write of it drops a load that is running, and no more.
  init(
    get: @escaping @Sendable (Key) -> Promise<Value>,
    forget: @escaping @Sendable (Key?) -> Void = { _ in },
    plan: CachePlan,
    reporting: (@Sendable (Reporter) -> Cache<Key, Value>)? = nil
  ) {
    cache = Cache(
      get: get,
      set: { key, _ in
        forget(key)
        return Promise()
      },
      remove: { key in
        forget(key)
        return Promise()
      },
      clear: {
        forget(nil)
        return Promise()
      },
      memoryWarning: {},
      spine: Spine(plan: plan, isReadOnly: true, forget: forget, reporting: reporting))
  }

  /// Asks for a value. A miss is a failure of which ``Swift/Error/isMiss`` is true.
  @inlinable
  public var get: @Sendable (Key) -> Promise<Value> { cache.get }

  /// The static description of this fetcher.
  public var plan: CachePlan { cache.plan }
}

extension Fetcher {
  /// Makes a fetcher of a function that answers with a promise.
  public init(_ get: @escaping @Sendable (Key) -> Promise<Value>) {
    self.init(get: get, plan: .level("fetcher"))
  }

  /// Makes a fetcher of a function that answers at once, on the caller's thread.
  ///
  /// To say that there is no value, throw ``CacheError/notFound``.
  @_disfavoredOverload
  public init(_ get: @escaping @Sendable (Key) throws -> Value) {
    self.init { key in
      do { return Promise(try get(key)) } catch { return Promise(error: error) }
    }
  }

  /// Makes a fetcher of an async function, each call in a task of its own, cancelled with its promise.
  @_disfavoredOverload
  public init(_ get: @escaping @Sendable (Key) async throws -> Value) {
    self.init { key in Promise { try await get(key) } }
  }
}

extension Cache {
  /// This cache for reading only: its writes are forgotten.
  public var fetcher: Fetcher<Key, Value> {
    Fetcher(
      get: get, forget: spine.forget, plan: plan,
      reporting: spine.reporting { $0.fetcher.cache })
  }
}
