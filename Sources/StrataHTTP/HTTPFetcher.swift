import Foundation
import Strata

extension Fetcher where Key == URL {
  /// Returns a level that requests URLs with GET and stores the responses according to RFC 9111.
  ///
  /// The values are stamped with a deadline, which the origin determines. A response that must not
  /// be reused has already expired when it arrives, but the get that requested it still returns it.
  /// Therefore, put levels above this level with ``Cache/backed(byStamped:clock:)``:
  ///
  ///     let memory: Cache<URL, Stamped<Article>> = .memory()
  ///     let articles = memory.backed(
  ///       byStamped: .http(storedIn: .disk("http")) <*> .stamped(.json()))  // Cache<URL, Article>
  ///
  /// - Parameters:
  ///   - store: The cache that stores the responses, such as a disk level, a memory level, or a
  ///     sum. A failure of the store counts as a miss.
  ///   - origin: The fetcher of responses.
  ///   - policy: The rules. The default is a private cache.
  ///   - rule: The rule that decides which responses are values.
  ///   - isOffline: A closure that returns whether a URL is offline. For an offline URL, the answer
  ///     is a stored response, even a stale one if the rules permit it. Without a usable response,
  ///     the get is a miss. Called once for each get, on the thread that read the store.
  ///   - clock: The time source. The origin and the levels above must use the same time source.
  /// - Returns: A fetcher that fails with the errors of the origin and the rule. A write through a
  ///   sum removes the stored responses of the URL.
  /// - Law: No level above returns a value for longer than its response allows. See
  ///   `HTTPFetcherTests.testAMemoryAboveIsNeverFresherThanTheResponseAllows`.
  public static func http<Plain>(
    storedIn store: Cache<String, Data>,
    from origin: Fetcher<URLRequest, HTTPResponse> = .responses(),
    policy: HTTPCachePolicy = HTTPCachePolicy(), accepting rule: ResponseRule<Plain>,
    isOffline: @escaping @Sendable (URL) -> Bool = { _ in false }, clock: TimeSource = .system
  ) -> Fetcher where Value == Stamped<Plain> {
    HTTPCache(storedIn: store, from: origin, policy: policy, isOffline: isOffline, clock: clock)
      .fetcher(accepting: rule)
  }

  /// Returns a level that requests URLs with GET and stores the responses according to RFC 9111.
  /// Its values are the bodies of complete, successful responses, as `ResponseRule.success` defines
  /// them.
  ///
  ///     let pages: Fetcher<URL, Stamped<Data>> = .http(storedIn: .disk("http"))
  ///
  /// - Parameters:
  ///   - store: The cache that stores the responses.
  ///   - origin: The fetcher of responses.
  ///   - policy: The rules. The default is a private cache.
  ///   - isOffline: A closure that returns whether a URL is offline. Called once for each get, on
  ///     the thread that read the store.
  ///   - clock: The time source. The origin and the levels above must use the same time source.
  /// - Law: No level above returns a value for longer than its response allows. See
  ///   `HTTPFetcherTests.testAMemoryAboveIsNeverFresherThanTheResponseAllows`.
  public static func http(
    storedIn store: Cache<String, Data>,
    from origin: Fetcher<URLRequest, HTTPResponse> = .responses(),
    policy: HTTPCachePolicy = HTTPCachePolicy(),
    isOffline: @escaping @Sendable (URL) -> Bool = { _ in false }, clock: TimeSource = .system
  ) -> Fetcher where Value == Stamped<Data> {
    .http(
      storedIn: store, from: origin, policy: policy, accepting: .success, isOffline: isOffline,
      clock: clock)
  }
}

extension Fetcher {
  /// Unavailable for plain values, because a level above would store them for longer than the
  /// origin allows.
  @available(
    *, unavailable,
    message: """
      the HTTP level is a Fetcher<URL, Stamped<Data>>: decode it with .stamped(.json()), and put \
      levels of stamped values above it with memory.backed(byStamped:)
      """
  )
  public static func http(
    storedIn store: Cache<String, Data>,
    from origin: Fetcher<URLRequest, HTTPResponse> = .responses(),
    policy: HTTPCachePolicy = HTTPCachePolicy(),
    isOffline: @escaping @Sendable (URL) -> Bool = { _ in false }, clock: TimeSource = .system
  ) -> Fetcher {
    Fetcher(get: { _ in .miss }, plan: .level("http", .origin))
  }
}
