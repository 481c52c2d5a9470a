import Foundation
import StrataNetwork

extension Cache where Key == URL {
  /// Returns a level that requests URLs with GET and stores the responses according to RFC 9111.
  ///
  /// Each value is stamped with a deadline, which the origin determines. When a response must not
  /// be reused, its value has already expired when it arrives. Then the get that requested it may
  /// return it, but an upper level must not store it. To add upper levels that obey this, use
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
  ///   - rule: The rule that accepts or rejects each response, and returns the value of an accepted
  ///     response.
  ///   - isOffline: Returns whether a URL is unreachable, for example because the device is
  ///     offline. If it returns `true`, the level sends no request, and returns a stored response,
  ///     even a stale one if the rules permit it. Without a usable response, the get is a miss. The
  ///     level calls this closure only if it has no fresh response, and may call it twice for one
  ///     get.
  ///   - clock: The time source. The origin and the upper levels must use the same time source.
  /// - Returns: A fetcher. A get fails if the origin fails, or if the rule throws an error for the
  ///   response. A write to a sum with this fetcher removes the stored responses for the written
  ///   URL.
  /// - Law: A level above this fetcher never returns a stored value after the value's response
  ///   becomes stale. See `HTTPFetcherTests.testAMemoryAboveIsNeverFresherThanTheResponseAllows`.
  public static func http<Plain>(
    storedIn store: Cache<String, Data>,
    from origin: Fetcher<URLRequest, NetworkResponse> = .responses(),
    policy: HTTPCachePolicy = HTTPCachePolicy(), accepting rule: ResponseRule<Plain>,
    isOffline: @escaping @Sendable (URL) -> Bool = { _ in false }, clock: TimeSource = .system
  ) -> Cache where Value == Stamped<Plain> {
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
  ///   - policy: The rules. The default is the policy of a private cache.
  ///   - isOffline: Returns whether a URL is unreachable, for example because the device is
  ///     offline. If it returns `true`, the level sends no request, and returns a stored response,
  ///     even a stale one if the rules permit it. Without a usable response, the get is a miss. The
  ///     level calls this closure only if it has no fresh response, and may call it twice for one
  ///     get.
  ///   - clock: The time source. The origin and the upper levels must use the same time source.
  /// - Law: A level above this fetcher never returns a stored value after the value's response
  ///   becomes stale. See `HTTPFetcherTests.testAMemoryAboveIsNeverFresherThanTheResponseAllows`.
  public static func http(
    storedIn store: Cache<String, Data>,
    from origin: Fetcher<URLRequest, NetworkResponse> = .responses(),
    policy: HTTPCachePolicy = HTTPCachePolicy(),
    isOffline: @escaping @Sendable (URL) -> Bool = { _ in false }, clock: TimeSource = .system
  ) -> Cache where Value == Stamped<Data> {
    .http(
      storedIn: store, from: origin, policy: policy, accepting: .success, isOffline: isOffline,
      clock: clock)
  }
}

extension Cache {
  /// Unavailable for values without a deadline, because an upper level could store them longer than
  /// the origin allows.
  @available(
    *, unavailable,
    message: """
      the HTTP level is a Fetcher<URL, Stamped<Data>>: decode it with .stamped(.json()), and put \
      levels of stamped values above it with memory.backed(byStamped:)
      """
  )
  public static func http(
    storedIn store: Cache<String, Data>,
    from origin: Fetcher<URLRequest, NetworkResponse> = .responses(),
    policy: HTTPCachePolicy = HTTPCachePolicy(),
    isOffline: @escaping @Sendable (URL) -> Bool = { _ in false }, clock: TimeSource = .system
  ) -> Cache {
    Fetcher(get: { _ in .miss }, plan: .level("http", .origin))
  }
}
