extension Cache {
  /// Makes a level of your own from functions that answer with promises.
  ///
  /// What is left out does nothing and succeeds. The functions keep the order of the operations of
  /// one key themselves: a get that is called after a set, settled or not, answers what it stored.
  ///
  ///     let pages = Cache<URL, Data>(get: { client.load($0) }, set: { client.store($1, at: $0) })
  ///
  /// All functions are called on the thread of whoever calls the cache, once for each call, and
  /// from several threads at a time.
  ///
  /// - Parameters:
  ///   - get: Asks for a value; to say that there is none, fail with ``CacheError/notFound``.
  ///   - set: Stores a value.
  ///   - remove: Removes a value; succeeds for a key that is absent.
  ///   - clear: Removes all values.
  ///   - memoryWarning: Is told that memory is short.
  /// - Law: what is left out changes nothing; see
  ///   `CacheCustomTests.testWhatIsLeftOutDoesNothingAndSucceeds`.
  @_disfavoredOverload
  public init(
    get: @escaping @Sendable (Key) -> Promise<Value>,
    set: @escaping @Sendable (Key, Value) -> Promise<Void> = { _, _ in Promise() },
    remove: @escaping @Sendable (Key) -> Promise<Void> = { _ in Promise() },
    clear: @escaping @Sendable () -> Promise<Void> = { Promise() },
    memoryWarning: @escaping @Sendable () -> Void = {}
  ) {
    self.init(
      get: get, set: set, remove: remove, clear: clear, memoryWarning: memoryWarning,
      spine: Spine(plan: .level("cache")))
  }

  /// Makes a level of your own from functions that answer at once or throw, on the caller's thread.
  ///
  /// What is left out does nothing and succeeds; an error thrown is the failure of its promise.
  ///
  ///     let numerals = Cache<Int, String>(get: { number in
  ///       guard number > 0 else { throw CacheError.notFound }
  ///       return String(repeating: "I", count: number)
  ///     })
  ///
  /// - Parameters:
  ///   - get: Returns a value; to say that there is none, throws ``CacheError/notFound``.
  ///   - set: Stores a value.
  ///   - remove: Removes a value; succeeds for a key that is absent.
  ///   - clear: Removes all values.
  ///   - memoryWarning: Is told that memory is short.
  @_disfavoredOverload
  public init(
    get: @escaping @Sendable (Key) throws -> Value,
    set: @escaping @Sendable (Key, Value) throws -> Void = { _, _ in },
    remove: @escaping @Sendable (Key) throws -> Void = { _ in },
    clear: @escaping @Sendable () throws -> Void = {},
    memoryWarning: @escaping @Sendable () -> Void = {}
  ) {
    self.init(
      get: { key in Promise(catching: { try get(key) }) },
      set: { key, value in Promise(catching: { try set(key, value) }) },
      remove: { key in Promise(catching: { try remove(key) }) },
      clear: { Promise(catching: clear) },
      memoryWarning: memoryWarning,
      spine: Spine(plan: .level("cache")))
  }

  /// Makes a level of your own from async functions, each call in a task of its own.
  ///
  /// Tasks start in no order, so the operations of one key are chained: a write begins when the
  /// writes of its key before it have ended, and a get waits for them. Other keys do not wait. What
  /// is left out does nothing and succeeds.
  ///
  ///     let users = Cache<Int, User>(
  ///       get: { try await api.user($0) }, set: { try await api.put($1, $0) })
  ///
  /// Cancelling a promise cancels its task; the next operation of the key waits until that has
  /// ended too. A write cancelled while it waits is never begun.
  ///
  /// - Parameters:
  ///   - get: Returns a value; to say that there is none, throws ``CacheError/notFound``.
  ///   - set: Stores a value.
  ///   - remove: Removes a value; succeeds for a key that is absent.
  ///   - clear: Removes all values; writes of any key called after it wait for it.
  ///   - memoryWarning: Is told that memory is short, on the caller's thread.
  /// - Law: a get sees the writes of its key called before it; see
  ///   `CacheCustomTests.testAsyncOperationsOfAKeyKeepTheOrderOfTheirCalls`.
  @_disfavoredOverload
  public init(
    get: @escaping @Sendable (Key) async throws -> Value,
    set: @escaping @Sendable (Key, Value) async throws -> Void = { _, _ in },
    remove: @escaping @Sendable (Key) async throws -> Void = { _ in },
    clear: @escaping @Sendable () async throws -> Void = {},
    memoryWarning: @escaping @Sendable () -> Void = {}
  ) {
    let order = KeyOrder<Key>()
    self.init(
      get: { key in order.read(key) { Promise { try await get(key) } } },
      set: { key, value in order.write(key, task: { try await set(key, value) }) },
      remove: { key in order.write(key, task: { try await remove(key) }) },
      clear: { order.write(nil, task: clear) },
      memoryWarning: memoryWarning,
      spine: Spine(plan: .level("cache")))
  }
}
