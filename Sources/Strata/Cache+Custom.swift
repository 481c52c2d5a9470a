extension Cache {
  /// Makes a level of your own from functions that answer with promises.
  ///
  /// What is left out does nothing and succeeds. The functions keep the order of the operations of
  /// one key themselves: a get that is called after a set, settled or not, answers what it stored.
  ///
  ///     let shelf = Cache<String, Int>(get: { shelf.look($0) }, set: { shelf.put($1, at: $0) })
  ///
  /// - Parameters:
  ///   - get: Asks for a value; to say that there is none, fail with ``CacheError/notFound``.
  ///   - set: Stores a value.
  ///   - remove: Removes a value; succeeds for a key that is absent.
  ///   - clear: Removes all values.
  ///   - memoryWarning: Is told that memory is short.
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

  /// Makes a level of your own from functions that answer at once, on the caller's thread, or throw.
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
  /// writes of its key before it have ended, and a get waits for them. Cancelling a promise cancels
  /// its task; a write that does not stop then still holds back those of its key until it ends.
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
      set: { key, value in order.write(key) { () async throws in try await set(key, value) } },
      remove: { key in order.write(key) { () async throws in try await remove(key) } },
      clear: { order.write(nil) { () async throws in try await clear() } },
      memoryWarning: memoryWarning,
      spine: Spine(plan: .level("cache")))
  }
}

extension Promise {
  /// A promise of what `body` returns, or of the error it throws, at once.
  init(catching body: () throws -> Value) {
    do { self.init(try body()) } catch { self.init(error: error) }
  }
}
