import Foundation

extension Cache where Key == URLRequest, Value == NetworkResponse {
  /// Returns a level that sends requests with any HTTP method, returns the complete responses, and
  /// stores nothing.
  ///
  /// Every complete response is a value, whatever its status. To verify that a response is
  /// complete, the level checks its length, its chunks, and the checksum of an encoded body.
  ///
  ///     let responses: Fetcher<URLRequest, NetworkResponse> = .responses()
  ///     let response = try await responses.value(for: URLRequest(url: url))
  ///
  /// When a request has no `Accept-Encoding` field, the level adds one with the encodings that it
  /// supports. Bodies with another encoding stay encoded, and their responses keep the field
  /// `Content-Encoding`.
  ///
  /// - Parameters:
  ///   - session: The session that sends the level's requests.
  ///   - maximumSize: The maximum size of a decoded body in bytes. By default, it's 64 MiB. A
  ///     longer body is refused before all of it has arrived.
  ///   - deadline: The maximum duration of a get, including all redirects. By default, it's 60 s.
  ///   - maximumRedirects: The maximum number of redirects that a get follows. The default is 10.
  ///     When it's zero, each redirect is a value.
  ///   - clock: The clock that measures the duration of a get, and provides the times in a
  ///     response. By default, it's the system clock.
  /// - Returns: A fetcher whose failures are ``NetworkError`` values. Callbacks run on a global
  ///   dispatch queue. Cancelling a get stops its transfer.
  /// - Law: An incomplete response is never a value. See `NetworkFuzzTests`.
  public static func responses(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), maximumRedirects: Int = 10, clock: TimeSource = .system
  ) -> Cache {
    let limits = Transfer.Limits(
      size: max(0, maximumSize), deadline: deadline, redirects: max(0, maximumRedirects))
    return network(session: session, clock: clock, accepting: .any) { _ in
      limits
    } request: {
      .request($0)
    }
  }
}
