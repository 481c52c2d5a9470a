import StrataCore

/// The sentinels from which a client learns the address of a primary, which changes with each
/// failover.
final class RedisSentinels: Sendable, CustomStringConvertible {
  private let primary: String
  private let sentinels: [RedisConnection]

  init(_ settings: [RedisSettings], primary: String) {
    self.primary = primary
    sentinels = settings.map { RedisConnection($0) }
  }

  var description: String {
    "\(primary) via \(sentinels.map(\.description).joined(separator: ","))"
  }

  /// Passes the address of the primary to a closure. When no sentinel knows it, passes the error of
  /// the last one.
  func locate(_ receive: @escaping @Sendable (Result<RedisAddress.Endpoint, RedisError>) -> Void) {
    locate(sentinels[...], after: .unreachable("there are no sentinels"), receive)
  }

  private func locate(
    _ rest: ArraySlice<RedisConnection>, after error: RedisError,
    _ receive: @escaping @Sendable (Result<RedisAddress.Endpoint, RedisError>) -> Void
  ) {
    guard let sentinel = rest.first else { return receive(.failure(error)) }
    let command = ["SENTINEL", "GET-MASTER-ADDR-BY-NAME", primary].map { Array($0.utf8) }
    let reply = sentinel.command(command, isRepeatable: true)
    reply.onCompletion { [self] outcome in
      do throws(RedisError) {
        receive(.success(try endpoint(in: outcome, of: sentinel)))
      } catch { locate(rest.dropFirst(), after: error, receive) }
    }
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
