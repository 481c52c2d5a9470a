extension Cache {
  /// Returns the value of `key` from the first level that has a value.
  ///
  /// If the value is available immediately, the method returns it without suspending and without
  /// leaving the caller's actor.
  ///
  ///     let page = try await pages.value(for: url)
  ///
  /// - Throws: If every level misses, the method throws an error whose `isMiss` is `true`. When at
  ///   least one level fails, and none returns a value, it throws the error of a failed level. When
  ///   the calling task is cancelled, it immediately throws a `CancellationError`. Cancelling a
  ///   task doesn't affect other tasks that wait for the same load.
  @inlinable
  public nonisolated(nonsending) func value(for key: Key) async throws -> Value {
    try await get(key).value
  }

  /// Returns the value of `key`, or `nil` for a miss.
  ///
  /// For an optional `Value`, a stored `nil` is returned as `.some(nil)`.
  ///
  ///     let page = try await pages.findValue(for: url) ?? "nothing here"
  ///
  /// - Throws: The same errors as ``value(for:)``, except for misses.
  public nonisolated(nonsending) func findValue(for key: Key) async throws -> Value? {
    do { return try await get(key).value } catch  where error.isMiss { return nil }
  }

  /// Stores `value` under `key`, and waits until the write has ended in every level.
  ///
  ///     try await pages.set("a note", for: url)
  ///
  /// To begin a write without waiting for its end, call the stored function ``set``, which returns
  /// a promise: `pages.set(url, "a note")`.
  ///
  /// - Throws: The error of the uppermost level that fails. When the calling task is cancelled, the
  ///   method immediately throws a `CancellationError`.
  @inlinable
  public nonisolated(nonsending) func set(_ value: Value, for key: Key) async throws {
    try await set(key, value).value
  }

  /// Removes the value of `key`, and waits until the removal has ended in every level. This
  /// succeeds even if the key has no value.
  ///
  /// - Throws: The same errors as ``set(_:for:)``.
  @inlinable
  public nonisolated(nonsending) func removeValue(for key: Key) async throws {
    try await remove(key).value
  }

  /// Removes all values, and waits until the removal has ended in every level.
  ///
  /// - Throws: The same errors as ``set(_:for:)``.
  @inlinable
  public nonisolated(nonsending) func removeAll() async throws {
    try await clear().value
  }
}
