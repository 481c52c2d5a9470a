import Foundation

/// A rule that decides which responses are values.
///
///     let lenient = ResponseRule<Data> { response in
///       response.status == 206 ? response.body : try ResponseRule.success.value(response)
///     }
///     let pages: Fetcher<URL, Data> = .network(accepting: lenient)
public struct ResponseRule<Value: Sendable>: Sendable {
  /// Returns the value of a complete response.
  public let value: @Sendable (HTTPResponse) throws -> Value

  /// Creates a rule from a function.
  ///
  /// - Parameter value: A pure function that returns the value of a complete response. The function
  ///   may throw ``CacheError/notFound`` for a miss, and any other error for a failure. The level
  ///   calls the function once for each response, on the thread that reports the response.
  public init(_ value: @escaping @Sendable (HTTPResponse) throws -> Value) { self.value = value }
}

extension ResponseRule where Value == Data {
  /// The default rule of the network level: the body of a complete, successful response is a value.
  ///
  /// A successful response has a 2xx status other than 204 and 206. Its body isn't encoded, or has
  /// only content codings that the level decodes. The statuses 404 and 410 are misses. Every other
  /// response is a failure.
  ///
  /// - Law: only complete, successful responses are values. See `ResponseRuleTests`.
  public static let success = ResponseRule { response in
    guard (200..<300).contains(response.status), response.status != 204, response.status != 206
    else {
      throw NetworkError(.status(response.status), url: response.url, response: response)
    }
    guard response.fields["Content-Encoding"].map({ HTTPSyntax.equal($0, "identity") }) ?? true
    else {
      throw NetworkError(
        .undecodableBody("its content coding is unknown"), url: response.url, response: response)
    }
    return response.body
  }
}

extension ResponseRule where Value == HTTPResponse {
  /// A rule that accepts every response as a value, whatever its status.
  public static let any = ResponseRule { $0 }
}
