extension Cache {
  /// Returns the value of `key`, from the first level that has it.
  ///
  /// What is there already is returned without suspending and without leaving the caller's actor.
  ///
  ///     let page = try await pages.value(for: url)
  ///
  /// - Throws: An error of which `isMiss` is true if there is no value, the error of
  ///   what failed otherwise, and `CancellationError` at once if this task is cancelled; others who
  ///   wait for the same load are not disturbed.
  @inlinable
  public nonisolated(nonsending) func value(for key: Key) async throws -> Value {
    try await get(key).value
  }

  /// Returns the value of `key`, or `nil` for a miss.
  ///
  /// Any other error stays an error. A stored optional that is `nil` is a value: it is returned as
  /// `.some(nil)`.
  ///
  ///     let page = try await pages.find(url) ?? "nothing here"
  ///
  /// - Throws: As ``value(for:)``, but for misses.
  public nonisolated(nonsending) func find(_ key: Key) async throws -> Value? {
    do { return try await get(key).value } catch  where error.isMiss { return nil }
  }

  /// Stores `value` under `key`.
  ///
  /// The write has begun when this returns: a get called after it sees the value. Await the
  /// promise's `value` to know that it has ended, and how.
  ///
  ///     pages.set("a note", for: url)  // begun
  ///     try await pages.set("a note", for: url).value  // begun and ended, in every level
  ///
  /// - Returns: A promise that fails with the error of the upper-most level that failed.
  @inlinable
  @discardableResult
  public func set(_ value: Value, for key: Key) -> Promise<Void> {
    let (forwards, set) = (spine.forwards, set)
    return forwards.isQuiet ? set(key, value) : forwards.write(key) { set(key, value) }
  }

  /// Removes the value of `key`; succeeds if there is none.
  ///
  /// - Returns: A promise that fails with the error of the upper-most level that failed.
  @inlinable
  @discardableResult
  public func removeValue(for key: Key) -> Promise<Void> {
    let (forwards, remove) = (spine.forwards, remove)
    return forwards.isQuiet ? remove(key) : forwards.write(key) { remove(key) }
  }

  /// Removes all values.
  ///
  /// - Returns: A promise that fails with the error of the upper-most level that failed.
  @inlinable
  @discardableResult
  public func removeAll() -> Promise<Void> {
    spine.forwards.isQuiet ? clear() : spine.forwards.write(nil, clear)
  }
}

extension Fetcher {
  /// Returns the value of `key`; see ``Cache/value(for:)``.
  @inlinable
  public nonisolated(nonsending) func value(for key: Key) async throws -> Value {
    try await get(key).value
  }

  /// Returns the value of `key`, or `nil` for a miss; see ``Cache/find(_:)``.
  public nonisolated(nonsending) func find(_ key: Key) async throws -> Value? {
    do { return try await get(key).value } catch  where error.isMiss { return nil }
  }
}
