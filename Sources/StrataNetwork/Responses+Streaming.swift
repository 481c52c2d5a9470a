import Foundation

extension Cache where Key == URLRequest, Value == NetworkResponse {
  /// Returns a level like ``responses(session:maximumSize:deadline:maximumRedirects:clock:)`` that
  /// streams some bodies instead of waiting for their end.
  ///
  /// When the body of a response is streamed, the get ends as soon as the header has arrived. Its
  /// response has an empty body, and ``NetworkResponse/rest`` delivers the bytes. For these bytes,
  /// there is no deadline.
  ///
  /// - Parameters:
  ///   - maximumSize: The maximum size of a body that the level holds in memory. Longer bodies are
  ///     streamed.
  ///   - streaming: A closure that receives a request and the response without its body, and
  ///     returns whether to stream the body. It's called on a thread that uses libcurl, under a
  ///     lock, so it must not block.
  package static func responses(
    session: NetworkSession, maximumSize: Int = 64 << 20, deadline: Duration = .seconds(60),
    maximumRedirects: Int = 10, clock: TimeSource = .system,
    streaming: @escaping @Sendable (URLRequest, NetworkResponse) -> Bool
  ) -> Cache {
    network(session: session, clock: clock, accepting: .any) { request in
      Transfer.Limits(
        size: max(0, maximumSize), deadline: deadline, redirects: max(0, maximumRedirects),
        streams: { streaming(request.urlRequest, $0) })
    } request: {
      .request($0)
    }
  }
}

extension Cache {
  /// Returns a level that sends the request of each key with the limits that a closure returns for
  /// it, and applies a rule to the response.
  static func network(
    session: NetworkSession, clock: TimeSource, accepting rule: ResponseRule<Value>,
    limits: @escaping @Sendable (RequestSource) -> Transfer.Limits,
    request: @escaping @Sendable (Key) -> RequestSource
  ) -> Cache {
    Cache(
      get: { key in
        Promise { continuation in
          let request = request(key)
          let cancel = session.start(request, limits: limits(request), clock: clock) { result in
            rule.settle(continuation, result)
          }
          continuation.onCancel(cancel)
        }
      },
      plan: .level("network", .origin),
      source: CacheSource(request: { Promise(session.sent(request($0))) }))
  }
}
