import Foundation

extension Cache where Key == RequestKey {
  /// Returns a level that sends requests with any method, turns responses into values, and stores
  /// nothing. Its keys compare everything that a request sends. See ``RequestKey``.
  ///
  ///     let pages: Cache<RequestKey, Data> = .memory() + .network(accepting: .success)
  ///
  /// - Parameters:
  ///   - session: The session whose connections the level uses.
  ///   - maximumSize: The maximum size of a decoded body in bytes. By default, it's 64 MiB.
  ///   - deadline: The maximum duration of a get, including its redirects. By default, it's 60 s.
  ///   - rule: The rule that turns a complete response into a value or an error.
  ///   - clock: The clock that measures the duration of a get. By default, it's the system clock.
  /// - Returns: A fetcher whose gets can fail with ``NetworkError`` or an error from the rule. The
  ///   rule and callbacks run on a global dispatch queue. Cancelling a get stops its transfer.
  public static func network(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), accepting rule: ResponseRule<Value>,
    clock: TimeSource = .system
  ) -> Cache {
    let requests: Fetcher<URLRequest, Value> = .network(
      session: session, maximumSize: maximumSize, deadline: deadline, accepting: rule,
      clock: clock)
    return requests.keyed
  }
}

extension Cache where Key == RequestKey, Value == Data {
  /// Returns a level that sends requests with any method, and stores nothing. Its keys compare
  /// everything that a request sends. See ``RequestKey``.
  ///
  ///     let pages: Cache<RequestKey, Data> = .memory() + .network()
  ///
  /// - Parameters:
  ///   - session: The session whose connections the level uses.
  ///   - maximumSize: The maximum size of a decoded body in bytes. By default, it's 64 MiB.
  ///   - deadline: The maximum duration of a get, including its redirects. By default, it's 60 s.
  ///   - clock: The clock that measures the duration of a get. By default, it's the system clock.
  /// - Returns: A fetcher whose gets can fail with ``NetworkError``. Callbacks run on a global
  ///   dispatch queue. Cancelling a get stops its transfer.
  public static func network(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), clock: TimeSource = .system
  ) -> Cache {
    .network(
      session: session, maximumSize: maximumSize, deadline: deadline, accepting: .success,
      clock: clock)
  }
}

extension Cache where Key == RequestKey, Value == NetworkResponse {
  /// Returns a level that sends requests with any method, returns the complete responses, and
  /// stores nothing. Its keys compare everything that a request sends. See ``RequestKey``.
  ///
  /// - Parameters:
  ///   - session: The session that sends the level's requests.
  ///   - maximumSize: The maximum size of a decoded body in bytes. By default, it's 64 MiB.
  ///   - deadline: The maximum duration of a get, including its redirects. By default, it's 60 s.
  ///   - maximumRedirects: The maximum number of redirects that a get follows. The default is 10.
  ///   - clock: The clock that measures the duration of a get. By default, it's the system clock.
  /// - Returns: A fetcher whose failures are ``NetworkError`` values.
  public static func responses(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), maximumRedirects: Int = 10, clock: TimeSource = .system
  ) -> Cache {
    let requests: Fetcher<URLRequest, NetworkResponse> = .responses(
      session: session, maximumSize: maximumSize, deadline: deadline,
      maximumRedirects: maximumRedirects, clock: clock)
    return requests.keyed
  }
}

extension Cache where Key == URLRequest {
  /// This level with keys that compare everything that a request sends.
  fileprivate var keyed: Fetcher<RequestKey, Value> {
    let get = get
    return Fetcher(
      get: { get($0.request) }, plan: plan, source: source.mapKeys { Promise($0.request) })
  }
}
