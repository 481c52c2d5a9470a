import Foundation

extension Fetcher where Key == URLRequest, Value == HTTPResponse {
  /// A level of whole responses, without storage, that sends requests of any method.
  ///
  /// Every complete response is a value, whatever its status. A response is complete if its length,
  /// its chunks, and the checksum of its encoding confirm it.
  ///
  ///     let responses: Fetcher<URLRequest, HTTPResponse> = .responses()
  ///     let response = try await responses.value(for: URLRequest(url: url))
  ///
  /// The level sends `Accept-Encoding` for the encodings that it decodes, unless the request has
  /// the field. A body in another encoding arrives encoded, with its `Content-Encoding`.
  ///
  /// - Parameters:
  ///   - session: The session that holds the connections.
  ///   - maximumSize: The maximum size of a decoded body in bytes. The default is 64 MiB. The level
  ///     refuses a longer body as soon as its length is known.
  ///   - deadline: The maximum duration of a get, including all redirects. The default is 60 s.
  ///   - maximumRedirects: The maximum number of redirects that a get follows. The default is 10.
  ///     Zero makes each redirect a value.
  ///   - clock: The time source of the deadline and of the response's times.
  /// - Returns: A fetcher that fails with ``NetworkError``. Cancelling a get stops its transfer.
  ///   Gets settle on a global dispatch queue.
  /// - Law: no incomplete response is a value. See `NetworkFuzzTests`.
  public static func responses(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), maximumRedirects: Int = 10, clock: TimeSource = .system
  ) -> Fetcher {
    let limits = Transfer.Limits(
      size: max(0, maximumSize), deadline: deadline, redirects: max(0, maximumRedirects))
    return Fetcher(
      get: { request in
        Promise { continuation in
          let cancel = session.start(request, limits: limits, clock: clock) { result in
            switch result {
            case .success(let response): continuation.succeed(response)
            case .failure(let error): continuation.fail(error)
            }
          }
          continuation.onCancel(cancel)
        }
      },
      plan: .level("network", .origin))
  }
}
