import Foundation
import Strata

extension Fetcher where Key == URL {
  /// Returns a level that requests URLs with GET and stores the responses according to RFC 9111.
  ///
  /// The values are stamped with a deadline, which the origin determines. A response that must not
  /// be reused has already expired when it arrives, but the get that requested it still returns it.
  /// To keep upper levels from storing expired values, combine them with this level through
  /// ``Cache/backed(byStamped:clock:)``:
  ///
  ///     let memory: Cache<URL, Stamped<Article>> = .memory()
  ///     let articles = memory.backed(
  ///       byStamped: .http(storedIn: .disk("http")) <*> .stamped(.json()))  // Cache<URL, Article>
  ///
  /// - Parameters:
  ///   - store: The cache that stores the responses, such as a disk level, a memory level, or a
  ///     sum. A failure of the store counts as a miss.
  ///   - origin: The fetcher of responses.
  ///   - policy: The rules. The default is the policy of a private cache.
  ///   - rule: The rule that decides which responses count as values.
  ///   - isOffline: A closure that returns whether a URL is offline. For an offline URL, the answer
  ///     is a stored response, which may be stale if the rules permit stale responses. Without a
  ///     usable response, the get is a miss. The closure is called only if no fresh response
  ///     answers a get, and sometimes twice for one get.
  ///   - clock: The time source. The origin and the upper levels must use the same time source.
  /// - Returns: A fetcher. A get fails if the origin fails, or if the rule rejects a response with
  ///   an error. A write through a sum that contains the fetcher removes the stored responses of
  ///   the URL.
  /// - Law: No upper level returns a value for longer than its response allows. See
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
  /// The level's values are the bodies of complete, successful responses, as `ResponseRule.success`
  /// defines them.
  ///
  ///     let pages: Fetcher<URL, Stamped<Data>> = .http(storedIn: .disk("http"))
  ///
  /// - Parameters:
  ///   - store: The cache that stores the responses.
  ///   - origin: The fetcher of responses.
  ///   - policy: The rules. The default is the policy of a private cache.
  ///   - isOffline: A closure that returns whether a URL is offline. The level sends no request to
  ///     an offline URL. The closure is called only if no fresh response answers a get, and
  ///     sometimes twice for one get.
  ///   - clock: The time source. The origin and the upper levels must use the same time source.
  /// - Law: No upper level returns a value for longer than its response allows. See
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
  /// Unavailable for values without a deadline, because a level above could store them for longer
  /// than the origin allows.
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
