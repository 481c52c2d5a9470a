import Dispatch

/// A cache that is only read, such as a network.
///
/// `Fetcher` is another name for ``Cache``. Use this name for an origin, because it shows that
/// nothing is stored there. Fetchers that you create from a function are read-only: their writes
/// succeed without effect. So a `set` of the sum `cache + fetcher` stores the value only in
/// `cache`.
///
///     let users: Cache<Int, User> = .memory() + Fetcher { id in try await api.user(id) }
///     let user = try await users.value(for: 1)  // from the API, and stored in memory
///
/// You can call `get` on any thread, and several gets of one key may run at the same time.
/// ``Cache/pooled()`` combines overlapping gets of a key into one load.
public typealias Fetcher<Key: Hashable & Sendable, Value: Sendable> = Cache<Key, Value>

extension Cache {
  /// Creates a read-only cache from a function that returns a promise.
  ///
  ///     let pages = Fetcher<URL, Data> { client.load($0) }
  ///
  /// - Parameter get: A function that runs once for each get, on the caller's thread. To report a
  ///   miss, return a promise that fails with ``CacheError/notFound``.
  /// - Law: Writes have no effect. See `FetcherTests.testWritesSucceedAndChangeNothing`.
  public init(_ get: @escaping @Sendable (Key) -> Promise<Value>) {
    self.init(get: get, plan: .level("fetcher", .origin), works: nil)
  }

  /// Creates a read-only cache from a synchronous function.
  ///
  /// On the main thread, a function such as `{ try Data(contentsOf: $0) }` would block the user
  /// interface. So by default, a get that is called on the main thread runs the function on another
  /// thread.
  ///
  ///     let numerals = Fetcher<Int, String> { String(repeating: "I", count: $0) }
  ///
  /// - Parameters:
  ///   - offMainThread: Whether a get that is called on the main thread runs the function on
  ///     another thread. The default is `true`. For a function that only computes, pass `false`, so
  ///     that its gets settle immediately.
  ///   - get: A function that runs once for each get, on the caller's thread unless that's the main
  ///     thread. To report a miss, throw ``CacheError/notFound``.
  @_disfavoredOverload
  public init(
    offMainThread: Bool = true, _ get: @escaping @Sendable (Key) throws -> Value
  ) {
    self.init { key in
      guard offMainThread, MainThread.isCurrent else {
        return Promise(catching: { try get(key) })
      }
      return .begun(DispatchQueue.work.worker) { Promise(catching: { try get(key) }) }
    }
  }

  /// Creates a read-only cache from an async function.
  ///
  ///     let users = Fetcher<Int, User> { id in try await api.user(id) }
  ///
  /// - Parameter get: A function that runs once for each get, in a separate task, which is
  ///   cancelled with the get's promise. To report a miss, throw ``CacheError/notFound``.
  @_disfavoredOverload
  public init(_ get: @escaping @Sendable (Key) async throws -> Value) {
    let work = RunningWork(.loads, "fetcher")
    self.init(
      get: { key in work.run { Promise { try await get(key) } } }, plan: .level("fetcher", .origin),
      works: { $0.add(work) })
  }

  /// Creates a read-only cache. Its writes call `forget` and then succeed, but don't change any
  /// value. For example, `forget` can drop the in-flight load of the written key.
  ///
  /// - Parameter works: A function that adds the work below this cache. By default, `get` is the
  ///   origin itself. So this cache counts its loads, and refuses them after the origin has been
  ///   closed.
  ///
  /// This initializer is never specialized, because specializing it for each read-only level in the
  /// library would add 16 KB of code.
  @_semantics("optimize.sil.specialize.generic.never") @inline(never)
  package init(
    get: @escaping @Sendable (Key) -> Promise<Value>,
    forget: @escaping @Sendable (Key?) -> Void = { _ in },
    plan: CachePlan, clock: TimeSource? = nil, source: CacheSource<Key> = CacheSource(),
    works: RunningWorks.Visit? = nil,
    reporting: (@Sendable (Reporter) -> Cache<Key, Value>)? = nil
  ) {
    guard let works else {
      let work = RunningWork(.loads, plan.stage)
      self.init(
        get: { key in work.run { get(key) } }, forget: forget, plan: plan, clock: clock,
        source: source, works: { $0.add(work) }, reporting: reporting)
      return
    }
    self.init(
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
        CacheMetadata.Properties(
          plan: plan, isReadOnly: true, clock: clock, forget: forget,
          rebuilding: { change in
            guard case .reporting(let reporter) = change else { return nil }
            return reporting?(reporter)
              ?? Cache(
                get: reporter.loads(get), forget: forget, plan: plan, clock: clock, source: source,
                works: works)
          }, source: source, works: works)))
  }

  /// A read-only view of this cache. Writes to the view, for example by a sum, don't store or
  /// remove values in this cache. If this cache is read-only, the view is the cache itself.
  ///
  /// - Law: `a.fetcher.get == a.get`, and `a.fetcher.fetcher == a.fetcher`. See
  ///   `FetcherTests.testTheWritesOfACacheAreForgotten`.
  public var fetcher: Cache {
    guard !metadata.isReadOnly else { return self }
    return Cache(
      get: get, forget: metadata.forget, plan: plan, clock: metadata.clock, source: source,
      works: { $0.add(of: self) },
      reporting: { reporting(to: $0).fetcher }
    ).reading { changed(by: .reading($0)).fetcher }
  }
}
