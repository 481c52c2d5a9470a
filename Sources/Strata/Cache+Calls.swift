extension Cache {
  /// Returns the value of `key`.
  ///
  /// Answers on the caller's thread what is there already, without leaving the caller's actor.
  ///
  /// - Throws: An error of which ``Swift/Error/isMiss`` is true if there is no value, the error of
  ///   what failed otherwise, and `CancellationError` if this task was cancelled.
  @inlinable
  public nonisolated(nonsending) func value(for key: Key) async throws -> Value {
    try await get(key).value
  }

  /// Returns the value of `key`, or `nil` for a miss; any other error stays an error.
  ///
  /// A stored optional that is `nil` is a value: it is returned as `.some(nil)`.
  public nonisolated(nonsending) func find(_ key: Key) async throws -> Value? {
    do { return try await get(key).value } catch  where error.isMiss { return nil }
  }

  /// Stores `value` under `key`. Has begun when it returns; await the promise's `value` to know its end.
  @inlinable
  @discardableResult
  public func set(_ value: Value, for key: Key) -> Promise<Void> { set(key, value) }

  /// Removes the value of `key`; succeeds if there is none.
  @inlinable
  @discardableResult
  public func removeValue(for key: Key) -> Promise<Void> { remove(key) }

  /// Removes all values.
  @inlinable
  @discardableResult
  public func removeAll() -> Promise<Void> { clear() }
}

extension Fetcher {
  /// Returns the value of `key`; see ``Cache/value(for:)``.
  @inlinable
  public nonisolated(nonsending) func value(for key: Key) async throws -> Value {
    try await get(key).value
  }

  /// Returns the value of `key`, or `nil` for a miss; any other error stays an error.
  public nonisolated(nonsending) func find(_ key: Key) async throws -> Value? {
    do { return try await get(key).value } catch  where error.isMiss { return nil }
  }
}
