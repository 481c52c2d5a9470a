import StrataCore

/// The sentinels from which a client learns the address of a primary, which changes with each
/// failover.
final class RedisSentinels: Sendable, CustomStringConvertible {
  private struct State {
    /// The connections to sentinels that haven't answered yet, by index.
    var connections: [Int: RedisConnection] = [:]
    /// The index of the sentinel that has answered last.
    var first = 0
    var isClosed = false
  }

  private let primary: String
  private let sentinels: [RedisSettings]
  private let state = Lock(State())

  init(_ settings: [RedisSettings], primary: String) {
    self.primary = primary
    sentinels = settings.map { settings in
      var settings = settings
      settings.longestDelay = min(settings.longestDelay, .seconds(1))
      return settings
    }
  }

  var description: String {
    "\(primary) via \(sentinels.map(\.label).joined(separator: ","))"
  }

  /// Passes the address of the primary to a closure. When no sentinel knows it, passes the error of
  /// the last one.
  ///
  /// The sentinels share the time until the deadline, so a silent one leaves time for those after
  /// it, and for the primary. The connection to a sentinel ends with its answer. When there is no
  /// answer, the connection stays until the client has found the primary. So a sentinel to which
  /// it takes long to connect can answer the next call.
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
    let (sentinel, isClosed) = state.withLock { state in
      let sentinel = state.connections[index] ?? RedisConnection(sentinels[index])
      if !state.isClosed { state.connections[index] = sentinel }
      return (sentinel, state.isClosed)
    }
    if isClosed { return receive(.failure(.closed)) }
    let now = runningNanoseconds()
    let share = max(0, deadline - now) / Int64(rest.count + 1)
    let command = ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", primary].map { Array($0.utf8) }
    let reply = sentinel.command(command, isRepeatable: true, by: now + share)
    reply.onCompletion { [self] outcome in
      do throws(RedisError) {
        let endpoint = try endpoint(in: outcome, of: sentinel)
        state.withLock { $0.first = index }
        end(sentinels.indices)
        receive(.success(endpoint))
      } catch {
        if outcome.value != nil { end(index..<index + 1) }
        locate(rest.dropFirst(), by: deadline, after: error, receive)
      }
    }
  }

  /// Closes the connections to some sentinels.
  private func end(_ indices: Range<Int>) {
    let ended = state.withLock { state in
      indices.compactMap { state.connections.removeValue(forKey: $0) }
    }
    for connection in ended { _ = connection.close() }
  }

  /// Closes the connections to sentinels, and opens no other.
  func close() -> Promise<Void> {
    let connections = state.withLock { state in
      state.isClosed = true
      return Array(state.connections.values)
    }
    return Promise<Void>.all(connections.map { $0.close() }).map { _ in }
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
