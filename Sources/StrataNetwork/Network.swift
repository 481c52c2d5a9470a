import Foundation

extension Cache where Key == URLRequest {
  /// Returns a level that sends requests with any method, turns responses into values, and stores
  /// nothing.
  ///
  /// An incomplete response doesn't reach the rule. Two requests are the same key if they're equal
  /// as `URLRequest` values. Beware of requests that change data at the origin: every get that
  /// reaches the origin repeats the change.
  ///
  ///     let pages: Fetcher<URLRequest, Data> = .network(accepting: .success)
  ///
  /// - Parameters:
  ///   - session: The session whose connections the level uses.
  ///   - maximumSize: The maximum size of a decoded body in bytes. By default, it's 64 MiB. A
  ///     longer body is refused before all of it has arrived.
  ///   - deadline: The maximum duration of a get, including its redirects. By default, it's 60 s.
  ///     Up to 10 redirects are followed.
  ///   - rule: The rule that turns a complete response into a value or an error.
  ///   - clock: The clock that measures the duration of a get. By default, it's the system clock.
  /// - Returns: A fetcher whose gets can fail with ``NetworkError`` or an error from the rule. The
  ///   rule and callbacks run on a global dispatch queue. Cancelling a get stops its transfer.
  public static func network(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), accepting rule: ResponseRule<Value>,
    clock: TimeSource = .system
  ) -> Cache {
    let limits = Transfer.Limits(size: max(0, maximumSize), deadline: deadline, redirects: 10)
    return network(session: session, clock: clock, accepting: rule) { _ in
      limits
    } request: {
      .request($0)
    }
  }
}

extension Cache where Key == URL {
  /// Returns a level that requests URLs with GET, turns responses into values, and stores nothing.
  ///
  ///     let pages: Fetcher<URL, Data> = .network(accepting: .success)
  ///
  /// - Parameters:
  ///   - session: The session whose connections the level uses.
  ///   - maximumSize: The maximum size of a decoded body in bytes. By default, it's 64 MiB. A
  ///     longer body is refused before all of it has arrived.
  ///   - deadline: The maximum duration of a get, including its redirects. By default, it's 60 s.
  ///     Up to 10 redirects are followed.
  ///   - rule: The rule that turns a complete response into a value or an error.
  ///   - clock: The clock that measures the duration of a get. By default, it's the system clock.
  /// - Returns: A fetcher whose gets can fail with ``NetworkError`` or an error from the rule. The
  ///   rule and callbacks run on a global dispatch queue. Cancelling a get stops its transfer.
  public static func network(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), accepting rule: ResponseRule<Value>,
    clock: TimeSource = .system
  ) -> Cache {
    let limits = Transfer.Limits(size: max(0, maximumSize), deadline: deadline, redirects: 10)
    return network(session: session, clock: clock, accepting: rule) { _ in
      limits
    } request: {
      .url($0)
    }
  }
}

extension Cache where Key == URLRequest, Value == Data {
  /// Returns a level that sends requests with any method, and stores nothing.
  ///
  /// Values are the bodies of complete, successful responses. A response with status 404 or 410 is
  /// a miss, and any other unsuccessful one is a failure. See ``ResponseRule/success``. Header
  /// fields that control caching, such as `Cache-Control`, are ignored.
  ///
  /// - Parameters:
  ///   - session: The session whose connections the level uses.
  ///   - maximumSize: The maximum size of a decoded body in bytes. By default, it's 64 MiB. A
  ///     longer body is refused before all of it has arrived.
  ///   - deadline: The maximum duration of a get, including its redirects. By default, it's 60 s.
  ///     Up to 10 redirects are followed.
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

extension Cache where Key == URL, Value == Data {
  /// Returns a level that requests URLs with GET, and stores nothing.
  ///
  /// Values are the bodies of complete, successful responses. A response with status 404 or 410 is
  /// a miss, and any other unsuccessful one is a failure. See ``ResponseRule/success``. Header
  /// fields that control caching, such as `Cache-Control`, are ignored.
  ///
  ///     let pages: Cache<URL, String> = .memory() + .network() <*> .utf8
  ///
  /// - Parameters:
  ///   - session: The session whose connections the level uses.
  ///   - maximumSize: The maximum size of a decoded body in bytes. By default, it's 64 MiB. A
  ///     longer body is refused before all of it has arrived.
  ///   - deadline: The maximum duration of a get, including its redirects. By default, it's 60 s.
  ///     Up to 10 redirects are followed.
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

extension Cache {
  /// Unavailable for other types of keys and values, because the level maps URLs to bytes. To
  /// decode the bytes, add a codec.
  @available(
    *, unavailable,
    message: """
      the network level is a Cache<URL, Data>: write a codec after it, as in .network() <*> .json()
      """
  )
  public static func network(
    session: NetworkSession = .shared, maximumSize: Int = 64 << 20,
    deadline: Duration = .seconds(60), clock: TimeSource = .system
  ) -> Cache {
    unavailable()
  }
}
