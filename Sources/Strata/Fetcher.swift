/// A read-only cache: something that answers and stores nothing, such as a network.
///
/// Added to a cache it gives a cache, in which writes to it succeed and change nothing.
///
///     let users: Cache<Int, User> = .memory() + Fetcher { id in try await api.user(id) }
///     let user = try await users.value(for: 1)  // from the interface, and kept in memory
///
/// It may be asked from any thread, and for one key as often as one likes: ``pooled()`` makes one
/// load of those that overlap.
public struct Fetcher<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// This fetcher as a cache whose writes succeed and do nothing.
  ///
  /// - Law: writes change nothing; see `FetcherTests.testWritesSucceedAndChangeNothing`.
  public let cache: Cache<Key, Value>

  @usableFromInline
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

  /// Asks for a value.
  ///
  /// A miss is a failure of which `isMiss` is true.
  @inlinable
  public var get: @Sendable (Key) -> Promise<Value> { cache.get }

  /// The static description of this fetcher.
  public var plan: CachePlan { cache.plan }
}

extension Fetcher {
  /// Makes a fetcher of a function that answers with a promise.
  ///
  ///     let pages = Fetcher<URL, Data> { client.load($0) }
  ///
  /// - Parameter get: Called once for each get, on the caller's thread. To say that there is no
  ///   value, fail with ``CacheError/notFound``.
  public init(_ get: @escaping @Sendable (Key) -> Promise<Value>) {
    self.init(get: get, plan: .level("fetcher"))
  }

  /// Makes a fetcher of a function that answers at once.
  ///
  ///     let numerals = Fetcher<Int, String> { String(repeating: "I", count: $0) }
  ///
  /// - Parameter get: Called once for each get, on the caller's thread. To say that there is no
  ///   value, throws ``CacheError/notFound``.
  @_disfavoredOverload
  public init(_ get: @escaping @Sendable (Key) throws -> Value) {
    self.init { key in Promise(catching: { try get(key) }) }
  }

  /// Makes a fetcher of an async function.
  ///
  ///     let users = Fetcher<Int, User> { id in try await api.user(id) }
  ///
  /// - Parameter get: Called once for each get, in a task of its own, which is cancelled with its
  ///   promise. To say that there is no value, throws ``CacheError/notFound``.
  @_disfavoredOverload
  public init(_ get: @escaping @Sendable (Key) async throws -> Value) {
    self.init { key in Promise { try await get(key) } }
  }
}

extension Cache {
  /// This cache for reading only: sums and verbs around it do not write to it.
  ///
  /// - Law: `a.fetcher.get == a.get`; see `FetcherTests.testTheWritesOfACacheAreForgotten`.
  public var fetcher: Fetcher<Key, Value> {
    Fetcher(
      get: get, forget: spine.forget, plan: plan,
      reporting: spine.reporting { $0.fetcher.cache })
  }
}
