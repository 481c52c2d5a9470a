/// Returns a function that remembers its results in a cache.
///
/// You need no key type and no prefixes, because the arguments form the key. Each call of the
/// returned function looks for a stored result. When there is none, it calls `function` and stores
/// the result. Overlapping calls with the same arguments share one call of `function`. Errors that
/// `function` throws aren't stored.
///
///     let user = memoized(in: .memory()) { (id: Int, language: String) async throws -> User in
///       try await api.user(id)
///     }
///     let ada = try await user(7, "en")
///
/// Several functions can share one cache. Without a name, a function never finds the results of
/// another, and a new process never finds the results of an earlier one. If the cache keeps values
/// for longer than the process runs, pass a name that stays the same. See
/// ``memoized(named:in:_:)-(String,_,_)``.
///
/// - Parameters:
///   - name: The name of the function, or `nil` for a function that shares its results with no
///     other. Functions with the same name share the results of equal arguments. The default is
///     `nil`.
///   - cache: The cache that stores the results.
///   - function: A function whose result depends only on its arguments. It runs in a new task,
///     which is cancelled when all callers that wait for the result are cancelled. To report that
///     there is no result, throw ``CacheError/notFound``.
/// - Law: `memoized(in: .empty)(f) == f`, and `memoized(in: a)(f)` is `a + Fetcher(f)` under an
///   injective key map. See `memoized.function`, `memoized.sum`, and `memoized.apart` in
///   `MemoizedLaws`.
public func memoized<Value: Sendable, each Argument: Hashable & Sendable>(
  named name: String? = nil, in cache: Cache<MemoizedCall<repeat each Argument>, Value>,
  _ function: @escaping @Sendable (repeat each Argument) async throws -> Value
) -> Memoized<Value, repeat each Argument> {
  Memoized(name.map(MemoizedFunction.init(named:)) ?? MemoizedFunction(), cache, function)
}

/// Returns a function that remembers its results in a cache whose keys are strings, such as a disk
/// level.
///
/// Each key is a line of JSON: an array of the function's name and the arguments.
///
///     let titles: Cache<String, String> = .memory() + disk <*> .json()
///     let title = memoized(named: "title", in: titles) { (id: Int) in try await api.user(id).name }
///     try await title(7)  // stored under ["title",7]
///
/// The name is necessary because the results may outlive the process. The line of the function in
/// the source code couldn't replace the name. If you deleted a function, the next function would
/// move to this line, and find the stored results of the deleted function.
///
/// - Parameters:
///   - name: The name of the function. Functions with the same name share the results of equal
///     arguments. Change the name when the meaning of the results changes.
///   - cache: The cache that stores the results.
///   - function: A function whose result depends only on its arguments.
/// - Law: Two calls have the same key only if their functions have the same name and their
///   arguments have the same encoding. In particular, `Double.nan` finds its result, although it
///   doesn't equal itself. See `memoized.keys` in `MemoizedLaws`.
@_disfavoredOverload
public func memoized<Value: Sendable, each Argument: Hashable & Encodable & Sendable>(
  named name: String, in cache: Cache<String, Value>,
  _ function: @escaping @Sendable (repeat each Argument) async throws -> Value
) -> Memoized<Value, repeat each Argument> {
  memoized(
    named: name,
    in: cache.mapKeys { (call: MemoizedCall<repeat each Argument>) throws in try call.text() },
    function)
}

/// A function that remembers its results in a cache. See ``memoized(named:in:_:)-(String?,_,_)``.
///
///     let square = memoized(in: .memory()) { (number: Int) in number * number }
///     try await square(12)  // 144, and stored
///     try await square.forget(12)
public struct Memoized<Value: Sendable, each Argument: Hashable & Sendable>: Sendable {
  /// The pool that contains the cache and, below the cache, the function. Use it to see the plan,
  /// to observe the calls, or to store a result.
  public let cache: Cache<MemoizedCall<repeat each Argument>, Value>
  private let function: MemoizedFunction

  fileprivate init(
    _ identity: MemoizedFunction, _ store: Cache<MemoizedCall<repeat each Argument>, Value>,
    _ function: @escaping @Sendable (repeat each Argument) async throws -> Value
  ) {
    let origin = Cache<MemoizedCall<repeat each Argument>, Value>(
      get: { call in Promise { try await function(repeat each call.arguments) } },
      plan: .level("function", .origin, identity.name.map { [nil: .text($0)] } ?? [:]))
    cache = (store + origin).pooled()
    self.function = identity
  }

  /// Returns the stored result for the arguments, or calls the function and stores its result.
  ///
  /// - Throws: The error of the function, or `CancellationError` if the calling task is cancelled.
  public func callAsFunction(_ arguments: repeat each Argument) async throws -> Value {
    try await cache.value(for: call(repeat each arguments))
  }

  /// Removes the stored result for the arguments, so the next call calls the function.
  public func forget(_ arguments: repeat each Argument) async throws {
    try await cache.removeValue(for: call(repeat each arguments))
  }

  /// The key under which the result for the arguments is stored.
  public func call(_ arguments: repeat each Argument) -> MemoizedCall<repeat each Argument> {
    MemoizedCall(function: function, repeat each arguments)
  }
}
