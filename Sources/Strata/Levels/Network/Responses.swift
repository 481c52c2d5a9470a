import Foundation

extension Fetcher where Key == URLRequest, Value == HTTPResponse {
  /// Returns a level without storage that sends requests with any method, and returns complete
  /// responses.
  ///
  /// Every complete response is a value, whatever its status. To verify that a response is
  /// complete, the level checks the length, the chunks, and the checksum of the encoding.
  ///
  ///     let responses: Fetcher<URLRequest, HTTPResponse> = .responses()
  ///     let response = try await responses.value(for: URLRequest(url: url))
  ///
  /// Unless the request has an `Accept-Encoding` field, the level adds this field with the
  /// encodings that the level decodes. A body in an encoding that the level doesn't decode stays
  /// encoded and keeps its `Content-Encoding`.
  ///
  /// - Parameters:
  ///   - session: The session whose connections the level uses.
  ///   - maximumSize: The maximum size of a decoded body in bytes. The default is 64 MiB. The level
  ///     refuses a longer body without receiving all of it.
  ///   - deadline: The maximum duration of a get, including all redirects. The default is 60 s.
  ///   - maximumRedirects: The maximum number of redirects that a get follows. The default is 10.
  ///     If zero, the level returns each redirect as a value.
  ///   - clock: The clock for the deadline and for the times in a response. The default is the
  ///     system clock.
  /// - Returns: A fetcher that fails with ``NetworkError``. Cancelling a get stops its transfer. A
  ///   get settles on a global dispatch queue.
  /// - Law: an incomplete response is never a value. See `NetworkFuzzTests`.
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
