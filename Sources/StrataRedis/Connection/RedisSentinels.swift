import StrataCore

/// The sentinels from which a client learns the address of a primary, which changes with each
/// failover.
final class RedisSentinels: Sendable, CustomStringConvertible {
  private struct State {
    /// The connection to the sentinel that has a request.
    var connection: RedisConnection?
    /// The index of the sentinel that has answered last.
    var first = 0
    var isClosed = false
  }

  private let primary: String
  private let sentinels: [RedisSettings]
  private let state = Lock(State())

  init(_ settings: [RedisSettings], primary: String) {
    (self.primary, sentinels) = (primary, settings)
  }

  var description: String {
    "\(primary) via \(sentinels.map(\.label).joined(separator: ","))"
  }

  /// Passes the address of the primary to a closure. When no sentinel knows it, passes the error of
  /// the last one.
  ///
  /// Each sentinel has a connection only while it has a request. The sentinels share the time until
  /// the deadline, so a silent one leaves time for those after it, and for the primary.
  func locate(
    by deadline: Int64,
    _ receive: @escaping @Sendable (Result<RedisAddress.Endpoint, RedisError>) -> Void
  ) {
    let first = state.withLock { $0.first }
    let order = Array(sentinels.indices[first...]) + Array(sentinels.indices[..<first])
    locate(order[...], by: deadline, after: .unreachable("there are no sentinels"), receive)
  }

  private func locate(
    _ rest: ArraySlice<Int>, by deadline: Int64, after error: RedisError,
    _ receive: @escaping @Sendable (Result<RedisAddress.Endpoint, RedisError>) -> Void
  ) {
    guard let index = rest.first else { return receive(.failure(error)) }
    let sentinel = RedisConnection(sentinels[index])
    let isClosed = state.withLock { state in
      if !state.isClosed { state.connection = sentinel }
      return state.isClosed
    }
    if isClosed { return receive(.failure(.closed)) }
    let now = runningNanoseconds()
    let share = max(0, deadline - now) / Int64(rest.count + 1)
    let command = ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", primary].map { Array($0.utf8) }
    let reply = sentinel.command(command, isRepeatable: true, by: now + share)
    reply.onCompletion { [self] outcome in
      state.withLock { $0.connection.take() }.map { _ = $0.close() }
      do throws(RedisError) {
        let endpoint = try endpoint(in: outcome, of: sentinel)
        state.withLock { $0.first = index }
        receive(.success(endpoint))
      } catch { locate(rest.dropFirst(), by: deadline, after: error, receive) }
    }
  }

  /// Closes the connection to a sentinel, if there is one, and opens no other.
  func close() -> Promise<Void> {
    let connection = state.withLock { state in
      state.isClosed = true
      return state.connection
    }
    return connection?.close() ?? Promise(())
  }

  private func endpoint(
    in outcome: Promise<RedisReply>.Outcome, of sentinel: RedisConnection
  ) throws(RedisError) -> RedisAddress.Endpoint {
    guard let reply = outcome.value else {
      throw .unreachable(
        "the sentinel \(sentinel) doesn't answer: "
          + (outcome.error.map { "\($0)" } ?? "the request was cancelled"))
    }
    guard let elements = reply.elements, elements.count == 2, let host = elements[0].string,
      let port = UInt16(elements[1].string ?? "")
    else {
      throw .unreachable("the sentinel \(sentinel) doesn't know a primary with the name \(primary)")
    }
    return .tcp(host: host, port: port)
  }
}
