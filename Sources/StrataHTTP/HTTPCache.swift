import Foundation
import StrataNetwork

/// An HTTP cache that stores responses in any cache of bytes and follows RFC 9111.
///
///     let http = HTTPCache(storedIn: .memory() + .disk("http"))
///     let answer = try await http.answer(to: URLRequest(url: url)).value
///     print(answer.response.status, answer.status.field())  // 200 strata; hit; ttl=376
///
/// The cache accepts requests with any method. A request that changes data on the origin, such as a
/// PUT, removes the stored responses that it invalidates. If several requests need the same
/// validation, one request validates the stored response while the other requests wait. A response
/// with `no-store` is stored only if the directive `must-understand` overrides `no-store`.
///
/// - Law: See <doc:HTTPCaching> for each rule and its test.
public final class HTTPCache: Sendable {
  /// The rules.
  public let policy: HTTPCachePolicy

  let store: ResponseStore
  let origin: @Sendable (URLRequest) -> Promise<NetworkResponse>
  private let originCache: Cache<URLRequest, NetworkResponse>
  let isOffline: @Sendable (URL) -> Bool
  let clock: TimeSource
  let active: ActiveKeys

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - store: The cache that stores the responses. A failure of the store counts as a miss.
  ///   - origin: The fetcher that sends requests to the origin. The fetcher must not cache
  ///     responses. If the fetcher follows redirects, as the default fetcher does, the response
  ///     after a redirect isn't stored. If the fetcher returns redirects instead of following them,
  ///     each redirect is stored for its lifetime.
  ///   - policy: The rules. The default is the policy of a private cache.
  ///   - isOffline: A closure that returns whether a URL is unreachable, for example because the
  ///     device is offline. If the closure returns `true`, the cache doesn't send the request. The
  ///     closure is called only if the cache can't use a fresh stored response for the request. The
  ///     closure might be called twice for one request.
  ///   - clock: The time source. The origin must use this time source for the times of its
  ///     responses.
  public init(
    storedIn store: Cache<String, Data>,
    from origin: Cache<URLRequest, NetworkResponse> = .responses(),
    policy: HTTPCachePolicy = HTTPCachePolicy(),
    isOffline: @escaping @Sendable (URL) -> Bool = { _ in false }, clock: TimeSource = .system
  ) {
    let activity = StoreActivity.of(store)
    self.store = ResponseStore(
      store, lists: store, isShared: policy.isShared, order: activity.writes)
    (self.origin, originCache) = (origin.get, origin)
    active = ActiveKeys(activity)
    (self.policy, self.isOffline, self.clock) = (policy, isOffline, clock)
  }

  /// Creates a cache with the same state as another cache, whose store and origin report their
  /// operations to an observer.
  private init(_ cache: HTTPCache, reportingTo reporter: Reporter) {
    store = cache.store.reporting(to: reporter)
    originCache = cache.originCache.reporting(to: reporter)
    (origin, active, policy) = (originCache.get, cache.active, cache.policy)
    (isOffline, clock) = (cache.isOffline, cache.clock)
  }

  /// Returns this cache with the operations of its store and its origin reported to an observer.
  func reporting(to reporter: Reporter) -> HTTPCache { HTTPCache(self, reportingTo: reporter) }

  /// Returns the response to a request.
  ///
  /// If the origin fails and the rules permit stale responses, the answer is a stale stored
  /// response. If `isOffline` returns `true` or the request has `only-if-cached`, the answer is a
  /// stored response or a 504. With `only-if-cached`, a background validation can still be sent.
  ///
  /// A new response arrives after the store has accepted or refused it.
  ///
  /// If a key map of the origin fails, the cache looks for a stored response to the request as it's
  /// written. The key map must give the same identifying fields to each request of a user.
  ///
  /// - Returns: A promise of the answer. If the origin fails and no stored response is usable, the
  ///   promise fails with the origin's error. Cancelling the promise cancels the transfer.
  public func answer(to request: URLRequest) -> Promise<HTTPAnswer> {
    start(request).flatMap { answer in answer.afterWrite }
  }

  /// Returns the response to a request, without waiting for the write of the response to the store.
  /// If `validating` is `true`, the request also has the directive `no-cache`, in addition to the
  /// directives of the caller and the origin.
  package func start(_ request: URLRequest, validating: Bool = false) -> Promise<HTTPAnswer> {
    sent(request).flatMapOutcome { [self] outcome in
      if case .cancelled = outcome { return Promise(outcome: .cancelled) }
      // A stored response can answer a retrieval even if the key map fails, for example offline.
      if let error = outcome.error, !RequestHead(request).isRetrieval {
        return Promise(error: error)
      }
      var (request, sent) = (request, outcome.value)
      if validating {
        let control = (sent?.request ?? request).value(forHTTPHeaderField: "Cache-Control")
        let value = control.map { "\($0), no-cache" } ?? "no-cache"
        request.setValue(value, forHTTPHeaderField: "Cache-Control")
        sent?.request.setValue(value, forHTTPHeaderField: "Cache-Control")
      }
      let exchange = HTTPExchange(self, request, sent: sent)
      return exchange.head.isRetrieval && !exchange.mustPass ? exchange.retrieve() : exchange.pass()
    }
  }

  /// Returns a request in the form in which the origin sends it.
  func sent(_ request: URLRequest) -> Promise<SentRequest> {
    guard let sent = originCache.source.request else { return Promise(SentRequest(request)) }
    return sent(request)
  }

  /// Begins to remove all stored responses for a URL, and prevents in-flight requests for the URL
  /// from storing their responses.
  @discardableResult
  public func remove(_ url: URL) -> Promise<Void> {
    sent(URLRequest(url: url)).recover { _ in SentRequest(URLRequest(url: url)) }
      .flatMap { [self] sent in invalidate(sent.request.url ?? url) }
  }

  /// Removes all stored responses for a URL in the form in which the origin requests it.
  @discardableResult
  func invalidate(_ url: URL) -> Promise<Void> {
    let key = StoreKey.text(url)
    active.invalidate(key)
    return store.removeAll(under: key)
  }

  /// Begins to remove all responses.
  @discardableResult
  public func clear() -> Promise<Void> {
    active.invalidateAll()
    return store.clear()
  }

  /// Removes all responses, and waits until they are removed.
  public nonisolated(nonsending) func removeAll() async throws { try await clear().value }

  /// Removes all stored responses for a URL, and waits until they are removed.
  public nonisolated(nonsending) func removeValue(for url: URL) async throws {
    try await remove(url).value
  }

  /// The plan of the cache, such as `http(disk(100 MB))`.
  public var plan: CachePlan {
    .level("http", .origin, ["storedIn": .plan(store.plan), "from": .plan(originCache.plan)])
  }
}
