extension Cache {
  /// Returns the value of `key` from the first level that has a value.
  ///
  /// If the value is available immediately, the method returns it without suspending and without
  /// leaving the caller's actor.
  ///
  ///     let page = try await pages.value(for: url)
  ///
  /// - Throws: If every level missed, the method throws an error whose `isMiss` is true. If no
  ///   level returned a value and at least one level failed, the method throws the error of a
  ///   failed level. If the calling task is cancelled, the method throws `CancellationError`
  ///   immediately. Cancelling one task doesn't affect other tasks that wait for the same load.
  @inlinable
  public nonisolated(nonsending) func value(for key: Key) async throws -> Value {
    try await get(key).value
  }

  /// Returns the value of `key`, or `nil` for a miss.
  ///
  /// If `Value` is an optional type, this method returns a stored `nil` as `.some(nil)`.
  ///
  ///     let page = try await pages.find(url) ?? "nothing here"
  ///
  /// - Throws: The same errors as ``value(for:)``, except for misses.
  public nonisolated(nonsending) func find(_ key: Key) async throws -> Value? {
    do { return try await get(key).value } catch  where error.isMiss { return nil }
  }

  /// Stores `value` under `key`.
  ///
  /// The write has begun when this method returns, so a later get sees the value. To wait until the
  /// write has ended, and to catch its error, await the promise's `value`.
  ///
  ///     pages.set("a note", for: url)  // begun
  ///     try await pages.set("a note", for: url).value  // complete in every level
  ///
  /// - Returns: A promise that settles when the write has settled in every level. If any level
  ///   fails, the promise fails with the error of the uppermost failed level.
  @inlinable
  @discardableResult
  public func set(_ value: Value, for key: Key) -> Promise<Void> {
    set(key, value)
  }

  /// Removes the value of `key`. Succeeds even if the key has no value.
  ///
  /// - Returns: A promise that settles when the removal has settled in every level. If any level
  ///   fails, the promise fails with the error of the uppermost failed level.
  @inlinable
  @discardableResult
  public func removeValue(for key: Key) -> Promise<Void> {
    remove(key)
  }

  /// Removes all values.
  ///
  /// - Returns: A promise that settles when the removal has settled in every level. If any level
  ///   fails, the promise fails with the error of the uppermost failed level.
  @inlinable
  @discardableResult
  public func removeAll() -> Promise<Void> {
    clear()
  }
}
