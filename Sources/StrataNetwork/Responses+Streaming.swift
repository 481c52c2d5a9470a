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
  ///     returns whether to stream the body. It's called on the transport's thread.
  package static func responses(
    session: NetworkSession, maximumSize: Int = 64 << 20, deadline: Duration = .seconds(60),
    maximumRedirects: Int = 10, clock: TimeSource = .system,
    streaming: @escaping @Sendable (URLRequest, NetworkResponse) -> Bool
  ) -> Cache {
    responses(session: session, clock: clock) { request in
      Transfer.Limits(
        size: max(0, maximumSize), deadline: deadline, redirects: max(0, maximumRedirects),
        streams: { streaming(request, $0) })
    }
  }

  /// Returns a level that sends each request with the limits that the closure returns for it.
  static func responses(
    session: NetworkSession, clock: TimeSource,
    limits: @escaping @Sendable (URLRequest) -> Transfer.Limits
  ) -> Cache {
    Fetcher(
      get: { request in
        Promise { continuation in
          let cancel = session.start(request, limits: limits(request), clock: clock) { result in
            switch result {
            case .success(let response): continuation.succeed(response)
            case .failure(let error): continuation.fail(error)
            }
          }
          continuation.onCancel(cancel)
        }
      },
      plan: .level("network", .origin),
      source: CacheSource(request: { Promise(session.sent($0)) }))
  }
}
