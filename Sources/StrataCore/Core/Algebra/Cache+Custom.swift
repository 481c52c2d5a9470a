extension Cache {
  /// Creates a level from functions that return promises.
  ///
  /// An operation whose function you omit succeeds without effect. Each operation calls its
  /// function once, on the caller's thread. Several threads may call the functions at the same
  /// time.
  ///
  ///     let pages = Cache<URL, Data>(get: { client.load($0) }, set: { client.store($1, at: $0) })
  ///
  /// The contract of a level has four clauses. See <doc:TheContractOfALevel>.
  ///
  /// 1. *Order*: Suppose a write's function has returned before another function is called for the
  ///    same key. Then the second operation takes effect after the write, even if the write hasn't
  ///    settled.
  /// 2. *Effect*: A write takes effect at most once. A write that has succeeded has taken effect. A
  ///    write that has failed, was cancelled, or hasn't settled may still take effect, but not
  ///    after a later write to its key has taken effect.
  /// 3. *Forgetting*: A level may forget a value at any time. But once forgotten, the value doesn't
  ///    reappear.
  /// 4. *Freedom*: A level may answer immediately, later, or never, on any thread. It may block its
  ///    caller, and it may call the sum that calls it.
  ///
  /// Pass `true` for `keepsOrder` if your functions keep clauses 1 and 2 themselves. Otherwise, a
  /// sum adds a queue that runs one write of a key at a time. Plans show this queue as `ordered`.
  ///
  /// A sum waits at most five seconds for a get of the level, and then reads the next level. For an
  /// origin, whose loads may take longer, pass `.origin` for `role`. Then the sum waits without a
  /// limit. To set another limit, use ``awaitedInSum(atMost:)``.
  ///
  /// Note that `Cache(get: a.get, set: a.set, …)` isn't a full copy of `a`. It has the values of
  /// `a`, but not what `a` declares:
  ///
  /// - its plan, stages, role, capacity, and clock;
  /// - whether it's read-only, and whether it keeps the order of calls;
  /// - its bulk get, the requests of its origin, and the leases of a Redis level.
  ///
  /// So to change operations of `a`, use ``transforming(_:_:_:)``.
  ///
  /// - Parameters:
  ///   - role: What the level is. The default is `.storage`.
  ///   - capacity: The capacity that plans show, such as `.bytes(1 << 20)`. By default, they show
  ///     none.
  ///   - keepsOrder: Whether the functions keep the order of their calls. The default is `false`.
  ///   - getMany: Returns the values of several keys, for example with one request. A key that the
  ///     result omits is a miss. When the function fails, all its keys fail. By default, each key
  ///     is a separate get.
  ///   - get: Returns a value. To report a miss, return a promise that fails with
  ///     ``CacheError/notFound``.
  ///   - set: Stores a value.
  ///   - remove: Removes a value. `remove` must succeed even if the key is absent.
  ///   - clear: Removes all values.
  ///   - memoryWarning: Called when the system is short of memory.
  /// - Law: If you omit a function, its operation has no effect. See
  ///   `CacheCustomTests.testAnOmittedFunctionDoesNothingAndSucceeds`.
  @_disfavoredOverload
  public init(
    as role: CachePlan.Role = .storage, capacity: CachePlan.Value? = nil,
    keepsOrder: Bool = false,
    getMany: (@Sendable ([Key]) -> Promise<[Key: Value]>)? = nil,
    get: @escaping @Sendable (Key) -> Promise<Value>,
    set: @escaping @Sendable (Key, Value) -> Promise<Void>,
    remove: @escaping @Sendable (Key) -> Promise<Void> = { _ in Promise() },
    clear: @escaping @Sendable () -> Promise<Void> = { Promise() },
    memoryWarning: @escaping @Sendable () -> Void = {}
  ) {
    let work = RunningWork(role)
    let bulk = getMany.map { getMany in
      BulkGet<Key, Value>(loading: { keys in work.run { getMany(keys) } })
    }
    self.init(
      get: { key in work.run { get(key) } },
      set: { key, value in work.run(isPart: false) { set(key, value) } },
      remove: { key in work.run(isPart: false) { remove(key) } },
      clear: { work.run(isPart: false, clear) }, memoryWarning: memoryWarning,
      metadata: .custom(role, capacity, keepsOrder ? .ordered : .unordered, bulk) { $0.add(work) })
  }

  /// Creates a level from synchronous functions.
  ///
  /// The functions run on the caller's thread. An operation whose function you omit succeeds
  /// without effect. When a function throws, the operation fails with that error.
  ///
  ///     let numerals = Cache<Int, String>(get: { number in
  ///       guard number > 0 else { throw CacheError.notFound }
  ///       return String(repeating: "I", count: number)
  ///     }, set: { _, _ in })
  ///
  /// - Parameters:
  ///   - role: What the level is. The default is `.storage`, so a sum waits at most five seconds
  ///     for a get. With `.origin`, it waits without a limit.
  ///   - capacity: The capacity that plans show. By default, they show none.
  ///   - get: Returns a value. To report a miss, throw ``CacheError/notFound``.
  ///   - set: Stores a value.
  ///   - remove: Removes a value. `remove` must succeed even if the key is absent.
  ///   - clear: Removes all values.
  ///   - memoryWarning: Called when the system is short of memory.
  @_disfavoredOverload
  public init(
    as role: CachePlan.Role = .storage, capacity: CachePlan.Value? = nil,
    get: @escaping @Sendable (Key) throws -> Value,
    set: @escaping @Sendable (Key, Value) throws -> Void,
    remove: @escaping @Sendable (Key) throws -> Void = { _ in },
    clear: @escaping @Sendable () throws -> Void = {},
    memoryWarning: @escaping @Sendable () -> Void = {}
  ) {
    let work = RunningWork(role)
    self.init(
      get: { key in work.run { Promise(catching: { try get(key) }) } },
      set: { key, value in work.run { Promise(catching: { try set(key, value) }) } },
      remove: { key in work.run { Promise(catching: { try remove(key) }) } },
      clear: { work.run { Promise(catching: clear) } },
      memoryWarning: memoryWarning,
      metadata: .custom(role, capacity, .ordered, nil) { $0.add(work) })
  }

  /// Creates a level from async functions, each call of which runs in a separate task.
  ///
  /// Tasks start in no particular order. Therefore the cache orders the operations of each key: a
  /// write or a get begins after all earlier writes to its key have ended. Operations of different
  /// keys don't wait for each other. An operation whose function you omit succeeds without effect.
  ///
  ///     let users = Cache<Int, User>(
  ///       get: { try await api.user($0) }, set: { try await api.put($1, $0) })
  ///
  /// When a call of a function never returns, at most 10,000 writes of its key wait, and further
  /// writes fail with ``CacheError/overloaded(stage:waiting:)``.
  ///
  /// Cancelling a promise cancels its task. When a write is cancelled, the next operation of its
  /// key waits until the write's task has ended. A write that is cancelled while it waits never
  /// begins.
  ///
  /// - Parameters:
  ///   - role: What the level is. The default is `.storage`, so a sum waits at most five seconds
  ///     for a get. With `.origin`, it waits without a limit.
  ///   - capacity: The capacity that plans show. By default, they show none.
  ///   - getMany: Returns the values of several keys. A key that the result omits is a miss. By
  ///     default, each key is a separate get.
  ///   - get: Returns a value. To report a miss, throw ``CacheError/notFound``.
  ///   - set: Stores a value.
  ///   - remove: Removes a value. `remove` must succeed even if the key is absent.
  ///   - clear: Removes all values. Later operations on all keys wait until `clear` has ended.
  ///   - memoryWarning: Called when the system is short of memory, on the thread that calls the
  ///     cache's `memoryWarning`.
  /// - Law: A get sees all earlier writes to its key. See
  ///   `CacheCustomTests.testAsyncOperationsOfAKeyKeepTheOrderOfTheirCalls`.
  @_disfavoredOverload
  public init(
    as role: CachePlan.Role = .storage, capacity: CachePlan.Value? = nil,
    getMany: (@Sendable ([Key]) async throws -> [Key: Value])? = nil,
    get: @escaping @Sendable (Key) async throws -> Value,
    set: @escaping @Sendable (Key, Value) async throws -> Void,
    remove: @escaping @Sendable (Key) async throws -> Void = { _ in },
    clear: @escaping @Sendable () async throws -> Void = {},
    memoryWarning: @escaping @Sendable () -> Void = {}
  ) {
    let (queue, work) = (KeyedQueue(bounding: "cache"), RunningWork(role))
    let bulk = getMany.map { getMany in
      BulkGet<Key, Value>(loading: { keys in work.run { Promise { try await getMany(keys) } } })
        .unless { !queue.isQuiet }
    }
    @Sendable func write(
      _ hash: Int?, _ task: @escaping @Sendable () async throws -> Void
    ) -> Promise<Void> {
      work.run(isPart: false) { queue.write(hash, task: task) }
    }
    self.init(
      get: { key in
        queue.read(KeyVersions.hash(key)) { work.run { Promise { try await get(key) } } }
      },
      set: { key, value in write(KeyVersions.hash(key)) { try await set(key, value) } },
      remove: { key in write(KeyVersions.hash(key)) { try await remove(key) } },
      clear: { write(nil, clear) },
      memoryWarning: memoryWarning,
      metadata: .custom(role, capacity, .ordered, bulk) { works in
        works.add(work)
        works.add(queue.work)
      })
  }
}

extension CacheMetadata {
  /// Returns the metadata of a level that a program makes from closures.
  fileprivate static func custom(
    _ role: CachePlan.Role, _ capacity: CachePlan.Value?, _ conduct: Conduct,
    _ bulk: BulkGet<Key, Value>?, _ works: @escaping RunningWorks.Visit
  ) -> CacheMetadata {
    var properties = Properties(
      plan: .level("cache", role, capacity.map { [nil: $0] } ?? [:]))
    (properties.conduct, properties.bulk, properties.works) = (conduct, bulk, works)
    return CacheMetadata(properties)
  }
}

extension RunningWork {
  /// Creates the record of running work for a level that a program makes from closures. Levels in
  /// memory are never closed.
  fileprivate convenience init(_ role: CachePlan.Role) {
    switch role {
    case .origin: self.init(.loads)
    case .storage: self.init(.stores)
    default: self.init(.steps)
    }
  }
}
