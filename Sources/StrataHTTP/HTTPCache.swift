import Foundation
import StrataNetwork

/// An HTTP cache that stores responses in any cache of bytes and follows RFC 9111.
///
///     let http = HTTPCache(storedIn: .memory() + .disk("http"))
///     let answer = try await http.answer(to: URLRequest(url: url)).value
///     print(answer.response.status, answer.status.field())  // 200 strata; hit; ttl=376
///
/// Unlike a level of URLs, it accepts requests with any method. A request that changes data on the
/// origin, such as a PUT, removes the stored responses that it invalidates. When several requests
/// need the same validation, one of them validates the stored response while the others wait.
/// Despite the directive `no-store`, a response is stored if `must-understand` overrides it.
///
/// - Law: See <doc:RulesOfTheHTTPCache> for each rule and its test.
public final class HTTPCache: Sendable {
  /// The rules.
  public let policy: HTTPCachePolicy

  let store: ResponseStore
  let origin: @Sendable (URLRequest) -> Promise<NetworkResponse>
  private let originCache: Cache<URLRequest, NetworkResponse>
  let isOffline: @Sendable (URL) -> Bool
  let clock: TimeSource
  let active: ActiveKeys
  /// The running requests and background validations.
  let work: RunningWork
  /// Visits the running work of the store, of the origin, and of this cache.
  let works: RunningWorks.Visit
  /// The probe in which this cache notes its answers, if it serves a get with provenance.
  let probe: HTTPProbe?
  /// Reports a stale answer to the observer of this cache, if there is one.
  private let reporter: Reporter?

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - store: The cache that stores the responses. When it fails to read a response, that counts
  ///     as a miss.
  ///   - origin: The fetcher that sends requests to the origin. It must not cache responses. If it
  ///     follows redirects, as the default does, the cache doesn't store the response after a
  ///     redirect. When it returns redirects instead, the cache stores each for its lifetime.
  ///   - policy: The rules. The default is the policy of a private cache.
  ///   - isOffline: A closure that returns whether a URL is unreachable, for example because the
  ///     device is offline. If it returns `true`, the cache doesn't send the request. The cache
  ///     calls it only if it can't use a fresh stored response, and may call it twice for one
  ///     request.
  ///   - clock: The time source. Pass the same one to the origin, because it sets the times in the
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
    let work = RunningWork(.steps, "http")
    self.work = work
    works = { works in
      works.add(of: origin)
      works.add(of: store)
      works.add(activity.writes.work)
      works.add(work)
    }
    (self.policy, self.isOffline, self.clock) = (policy, isOffline, clock)
    (probe, reporter) = (nil, nil)
  }

  /// Creates a cache with the state of another one. The store and the origin of the new cache
  /// report their operations to an observer.
  private init(_ cache: HTTPCache, reportingTo reporter: Reporter) {
    let probe = reporter.probe.map { HTTPProbe($0) }
    store = cache.store.reporting(to: probe.map { reporter.with(probe: $0.store) } ?? reporter)
    originCache = cache.originCache.reporting(
      to: probe.map { reporter.with(probe: $0.origin) } ?? reporter)
    (self.probe, self.reporter) = (probe, reporter)
    (origin, active, policy) = (originCache.get, cache.active, cache.policy)
    (isOffline, clock) = (cache.isOffline, cache.clock)
    (work, works) = (cache.work, cache.works)
  }

  /// This cache without its origin, as if every URL were unreachable.
  var offline: HTTPCache { HTTPCache(offline: self) }

  private init(offline cache: HTTPCache) {
    (store, originCache, origin) = (cache.store, cache.originCache, cache.origin)
    (active, policy, clock) = (cache.active, cache.policy, cache.clock)
    (work, works) = (cache.work, cache.works)
    (probe, reporter) = (cache.probe, cache.reporter)
    isOffline = { _ in true }
  }

  /// Returns this cache with a store and an origin that report their operations to an observer.
  func reporting(to reporter: Reporter) -> HTTPCache { HTTPCache(self, reportingTo: reporter) }

  /// Returns the response to a request.
  ///
  /// When the origin fails and the rules permit it, the answer is a stale stored response. While
  /// `isOffline` returns `true`, and for a request with `only-if-cached`, the answer is a stored
  /// response or a 504. Even for `only-if-cached`, the cache may send a validation in the
  /// background.
  ///
  /// The promise of a new response settles once the store has accepted or refused it.
  ///
  /// When a key map of the origin fails, the cache looks for a stored response to the caller's
  /// request instead. So the map must give all requests of one user the same identifying fields.
  ///
  /// - Returns: A promise of the answer. When the origin fails and no stored response is usable,
  ///   the promise fails with the origin's error. To cancel the transfer, cancel the promise.
  public func answer(to request: URLRequest) -> Promise<HTTPAnswer> {
    start(request).flatMap { answer in answer.afterWrite }
  }

  /// Returns the response to a request, without waiting until the store has accepted it. With
  /// `validating`, adds `no-cache` to the directives of the caller and the origin.
  package func start(_ request: URLRequest, validating: Bool = false) -> Promise<HTTPAnswer> {
    // What follows may run on another thread.
    let priority = TaskPriority.ofCaller
    let answer = sent(request).flatMapOutcome { [self] outcome -> Promise<HTTPAnswer> in
      if case .cancelled = outcome { return Promise(outcome: .cancelled) }
      // Even if the key map fails, for example offline, a stored response can answer a GET or a
      // HEAD.
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
      let exchange = HTTPExchange(self, request, sent: sent, priority: priority)
      return exchange.head.isRetrieval && !exchange.mustPass ? exchange.retrieve() : exchange.pass()
    }
    work.follow(answer)
    guard let reporter else { return answer }
    return answer.map { answer in
      let isStale = answer.status.kind == .hit && answer.expiresAt <= self.clock.now()
      self.probe?.note(answer, isStale: isStale)
      if isStale { reporter.report(.stale, request, since: nil, Promise<Void>.Outcome.success(())) }
      return answer
    }
  }

  /// Returns a request exactly as the origin level sends it, with the fields that this level adds.
  func sent(_ request: URLRequest) -> Promise<SentRequest> {
    guard let sent = originCache.source.request else { return Promise(SentRequest(request)) }
    return sent(request)
  }

  /// Begins to remove all stored responses for a URL. Requests for it that are in flight don't
  /// store their responses.
  @discardableResult
  public func remove(_ url: URL) -> Promise<Void> {
    sent(URLRequest(url: url)).recover { _ in SentRequest(URLRequest(url: url)) }
      .flatMap { [self] sent in invalidate(sent.request.url ?? url) }
  }

  /// Removes all stored responses for a URL. Pass the URL that the origin level requests, which a
  /// key map may have changed.
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
