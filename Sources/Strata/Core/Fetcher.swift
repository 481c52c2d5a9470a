/// A read-only cache, such as a network. A fetcher returns values and doesn't store them.
///
/// The sum of a cache and a fetcher is a cache. A `set` on the sum `cache + fetcher` stores the
/// value in `cache`, but not in `fetcher`.
///
///     let users: Cache<Int, User> = .memory() + Fetcher { id in try await api.user(id) }
///     let user = try await users.value(for: 1)  // from the API, and stored in memory
///
/// You can call `get` on any thread, and several gets of one key may run at the same time.
/// ``pooled()`` combines overlapping gets of a key into one load.
public struct Fetcher<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// This fetcher as a cache whose writes succeed without effect.
  ///
  /// - Law: Writes have no effect. See `FetcherTests.testWritesSucceedAndChangeNothing`.
  public let cache: Cache<Key, Value>

  @usableFromInline
  init(_ cache: Cache<Key, Value>) { self.cache = cache }

  /// Creates a read-only cache. A write to this cache calls `forget` and then succeeds, but doesn't
  /// change any value. For example, `forget` can drop the in-flight load of the written key.
  ///
  /// This initializer is never specialized, because specializing it for each fetcher in the library
  /// would add 16 KB of code.
  @_semantics("optimize.sil.specialize.generic.never") @inline(never)
  package init(
    get: @escaping @Sendable (Key) -> Promise<Value>,
    forget: @escaping @Sendable (Key?) -> Void = { _ in },
    plan: CachePlan, clock: TimeSource? = nil, source: CacheSource<Key> = CacheSource(),
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
      metadata: CacheMetadata(
        plan: plan, isReadOnly: true, clock: clock, forget: forget,
        reporting: reporting ?? {
          Fetcher(
            get: $0.loads(get), forget: forget, plan: plan, clock: clock, source: source
          ).cache
        }, source: source))
  }

  /// Returns the value of a key. A miss is reported as an error whose `isMiss` is true.
  @inlinable
  public var get: @Sendable (Key) -> Promise<Value> { cache.get }

  /// The static description of this fetcher.
  public var plan: CachePlan { cache.plan }
}

extension Fetcher {
  /// Creates a fetcher from a function that returns a promise.
  ///
  ///     let pages = Fetcher<URL, Data> { client.load($0) }
  ///
  /// - Parameter get: A function that is called once for each get, on the caller's thread. To
  ///   report a miss, return a promise that fails with ``CacheError/notFound``.
  public init(_ get: @escaping @Sendable (Key) -> Promise<Value>) {
    self.init(get: get, plan: .level("fetcher", .origin))
  }

  /// Creates a fetcher from a synchronous function.
  ///
  ///     let numerals = Fetcher<Int, String> { String(repeating: "I", count: $0) }
  ///
  /// - Parameter get: A function that is called once for each get, on the caller's thread. To
  ///   report a miss, throw ``CacheError/notFound``.
  @_disfavoredOverload
  public init(_ get: @escaping @Sendable (Key) throws -> Value) {
    self.init { key in Promise(catching: { try get(key) }) }
  }

  /// Creates a fetcher from an async function.
  ///
  ///     let users = Fetcher<Int, User> { id in try await api.user(id) }
  ///
  /// - Parameter get: A function that is called once for each get, in a separate task. Cancelling
  ///   the promise of the get cancels the task. To report a miss, throw ``CacheError/notFound``.
  @_disfavoredOverload
  public init(_ get: @escaping @Sendable (Key) async throws -> Value) {
    self.init { key in Promise { try await get(key) } }
  }
}

extension Cache {
  /// A read-only view of this cache. A write to the view, for example by a sum, doesn't store or
  /// remove values in this cache.
  ///
  /// - Law: `a.fetcher.get == a.get`. See `FetcherTests.testTheWritesOfACacheAreForgotten`.
  public var fetcher: Fetcher<Key, Value> {
    Fetcher(
      get: get, forget: metadata.forget, plan: plan, clock: metadata.clock, source: source,
      reporting: { reporting(to: $0).fetcher.cache })
  }
}
