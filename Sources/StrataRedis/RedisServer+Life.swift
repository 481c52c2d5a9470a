import StrataCore

extension RedisServer {
  /// Sends a request to the server, or to each primary of a cluster, and waits for the replies.
  ///
  /// Call this function when a service starts. Otherwise, a wrong address, a refused password, or a
  /// failure of TLS shows only as misses.
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
  /// All copies of this value share the connections, so they're closed for all copies. This
  /// function returns at the latest when the deadline of the last request has passed.
  ///
  /// A program that ends needs this function only if its last writes must reach the server. When
  /// the last copy and the last cache are released, the connections close by themselves.
  public func close() async { _ = try? await client.close().value }

  /// The present state of the client, in numbers.
  public var metrics: RedisMetrics { client.metrics }
}
