import Foundation

/// A rule that converts each complete response to a value or an error.
///
///     let lenient = ResponseRule<Data> { response in
///       response.status == 206 ? response.body : try ResponseRule.success.value(response)
///     }
///     let pages: Fetcher<URL, Data> = .network(accepting: lenient)
public struct ResponseRule<Value: Sendable>: Sendable {
  /// A function that converts a complete response to a value, or throws an error if the rule
  /// rejects it.
  public let value: @Sendable (NetworkResponse) throws -> Value
  /// Whether the function is a quick one of this library, which may run on the transport's thread.
  let isQuick: Bool

  /// Creates a rule from a function.
  ///
  /// - Parameter value: A pure function that converts a complete response to a value, or throws an
  ///   error. The error ``CacheError/notFound`` is a miss, and any other error is a failure. This
  ///   function is called once for each response, on a global dispatch queue.
  public init(_ value: @escaping @Sendable (NetworkResponse) throws -> Value) {
    (self.value, isQuick) = (value, false)
  }

  private init(quick value: @escaping @Sendable (NetworkResponse) throws -> Value) {
    (self.value, isQuick) = (value, true)
  }
}

extension ResponseRule where Value == Data {
  /// The default rule of the network level. It accepts the body of a complete, successful response
  /// as the value.
  ///
  /// Success means a 2xx status, except 204 and 206, and a body without content codings that the
  /// level doesn't decode. The statuses 404 and 410 are misses, and everything else is a failure.
  ///
  /// - Law: Only complete, successful responses are values. See `ResponseRuleTests`.
  public static let success = ResponseRule(quick: { response in
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
  })
}

extension ResponseRule where Value == NetworkResponse {
  /// A rule that accepts every response as a value, whatever its status.
  public static let any = ResponseRule(quick: { $0 })
}

extension ResponseRule {
  /// Settles a promise with the value of a response, or with an error.
  ///
  /// On this thread, which may be the transport's, only a task resumes. Rules of the program and
  /// listeners run on a global dispatch queue.
  func settle(
    _ continuation: Promise<Value>.Continuation,
    _ result: Result<NetworkResponse, NetworkError>
  ) {
    guard isQuick else {
      return DispatchQueue.global().async { continuation.settle(outcome(of: result)) }
    }
    continuation.settle(outcome(of: result)) { DispatchQueue.global().async(execute: $0) }
  }

  private func outcome(of result: Result<NetworkResponse, NetworkError>) -> Promise<Value>.Outcome {
    do { return .success(try value(try result.get())) } catch { return .failure(error) }
  }
}
