import Foundation

/// An HTTP response, with its status, header fields, and complete body.
///
/// The header fields describe ``body``. So if the level has decoded the body, the fields
/// `Content-Encoding` and `Content-Length` are missing. Trailers are dropped.
///
///     let responses: Fetcher<URLRequest, NetworkResponse> = .responses()
///     let response = try await responses.value(for: URLRequest(url: url))
///     print(response.status, response.fields["Cache-Control"] ?? "no Cache-Control")
public struct NetworkResponse: Sendable, Equatable {
  /// The status, from 200 to 999.
  public var status: Int
  /// The header fields.
  public var fields: HeaderFields
  /// The body. After a HEAD request, the body is empty, whatever `Content-Length` states.
  public var body: Data
  /// The interim responses that preceded this response, in order of arrival. For example, a 103
  /// response can contain preload links.
  ///
  /// Responses with status 100 aren't included, because they concern only the connection.
  /// `URLSession` doesn't report interim responses.
  public var interim: [Interim] = []
  /// The rest of a streamed body, or `nil` if ``body`` is the whole body.
  package var rest: BodyStream?
  /// The URL that returned the response, without credentials. After redirects, it's the target of
  /// the last redirect.
  public var url: URL
  /// The time at which the level began the request to ``url``, before any wait for a connection.
  ///
  /// This time comes from the level's ``TimeSource``. Unlike the wall clock, it never goes
  /// backward. You can still compare its times with a `Date`.
  public var requestTime: TimeSource.Instant
  /// The time at which the header of this response was complete, by the same clock as
  /// ``requestTime``.
  public var responseTime: TimeSource.Instant

  /// The request that this response answers, as it was sent, but without its body. After redirects,
  /// it's the last request. It's `nil` if the origin isn't a network level.
  package var sent: SentRequest?

  /// An interim response (1xx), which precedes the final response.
  public struct Interim: Sendable, Equatable {
    /// The status, from 102 to 199.
    public var status: Int
    /// The header fields.
    public var fields: HeaderFields

    /// Creates an interim response. Tests can use this initializer to simulate a server.
    public init(status: Int, fields: HeaderFields) {
      (self.status, self.fields) = (status, fields)
    }
  }

  /// The requests that followed redirects, in order. The last of these requests has the URL
  /// ``url``.
  package var hops: [Hop] = []

  /// A request that followed a redirect.
  package struct Hop: Sendable, Equatable {
    package let method: String
    package let url: URL
  }

  /// Creates a response. Tests can use this initializer to simulate a server.
  public init(
    status: Int, fields: HeaderFields = [:], body: Data = Data(), url: URL,
    requestTime: TimeSource.Instant, responseTime: TimeSource.Instant
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.url = url
    self.requestTime = requestTime
    self.responseTime = responseTime
  }
}

extension NetworkResponse {
  /// Whether all public properties of two responses are equal.
  public static func == (one: NetworkResponse, other: NetworkResponse) -> Bool {
    one.status == other.status && one.fields == other.fields && one.interim == other.interim
      && one.url == other.url && one.requestTime == other.requestTime
      && one.responseTime == other.responseTime && one.rest === other.rest
      && one.body.isEqual(to: other.body)
  }
}
