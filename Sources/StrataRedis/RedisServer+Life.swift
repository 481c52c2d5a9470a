import StrataCore

extension RedisServer {
  /// Sends a request to the server, or to each primary of a cluster, and waits for the replies.
  ///
  /// A service can call this function when it starts, because a wrong address, a refused password,
  /// or a fault of TLS otherwise shows only as misses.
  ///
  ///     try await redis.ping()
  ///
  /// - Returns: The time until the last reply.
  /// - Throws: A ``RedisError``, or `CacheError.timedOut` after the deadline.
  @discardableResult
  public func ping() async throws -> Duration {
    let start = ContinuousClock.now
    try await client.ping().value
    return ContinuousClock.now - start
  }

  /// Closes the connections after all requests have been answered.
  ///
  /// New requests fail immediately with ``RedisError/closed``, so a sum reads from its next level.
  /// All copies of this value share the connections, so the function closes them for all copies. It
  /// returns after the last deadline of a request at the latest.
  ///
  /// A program that ends needs this function only if its last writes must reach the server. A
  /// server without copies and without caches closes its connections by itself.
  public func close() async { _ = try? await client.close().value }

  /// The present state of the client, in numbers.
  public var metrics: RedisMetrics { client.metrics }
}
