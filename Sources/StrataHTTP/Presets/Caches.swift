import Foundation
import Strata

/// Complete caches of the web: memory over an HTTP cache on disk, with one load per key.
///
///     let articles = Caches.json(Article.self)
///     let article = try await articles.value(for: url)
///
/// The origin decides how long a value is fresh, by the rules of <doc:HTTPCaching>. A response
/// without a lifetime is loaded again, or validated, by every get. If the origin can't be reached,
/// a stale value answers unless the origin forbids that.
///
/// On the main thread, a hit in memory is synchronous. Everything else runs on another thread.
///
/// Each call makes a new cache with a separate memory level. The caches of one directory share a
/// store, which holds the responses unchanged. A `set` stores its value in memory only, and removes
/// the stored response. Two sessions that send different fields need different directories.
public enum Caches {
  /// The shared instance of
  /// ``data(_:in:memoryCapacity:diskCapacity:session:offMainThread:offline:)``.
  public static let sharedData = data()

  /// The shared instance of
  /// ``json(_:in:memoryCapacity:diskCapacity:session:offMainThread:offline:)``.
  public static let sharedJSON = json()

  /// Makes a cache of bytes by their URL.
  ///
  /// - Parameters:
  ///   - name: The name of the disk level's directory. The default is `http`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory.
  ///   - memoryCapacity: The capacity of the memory level in bytes. The default is 64 MiB.
  ///   - diskCapacity: The capacity of the disk level in bytes. The default is 100 MB.
  ///   - session: The session that holds the connections.
  ///   - offMainThread: Whether the disk level and the codec leave the main thread. The default is
  ///     `true`.
  ///   - offline: A closure that returns whether a URL is offline. For an offline URL, no request
  ///     is sent: a stored response answers, even a stale one unless its origin forbids that.
  ///     Without a usable response, the get is a miss. Called once for each get that memory doesn't
  ///     answer, on the thread that read the disk.
  /// - Returns: A cache that uses the absolute form of a URL as its key.
  public static func data(
    _ name: String = "http", in directory: URL? = nil, memoryCapacity: Int = 64 << 20,
    diskCapacity: Int = 100_000_000, session: NetworkSession = .shared,
    offMainThread: Bool = true, offline: @escaping @Sendable (URL) -> Bool = { _ in false }
  ) -> Cache<URL, Data> {
    pipeline(
      .identity, .memory(capacity: memoryCapacity, cost: .bytes, clock: .system),
      http(
        .disk(name, in: directory, capacity: diskCapacity, offMainThread: offMainThread), session,
        offline))
  }

  /// Makes a cache of values that the origin sends as JSON, by their URL.
  ///
  /// Each value is decoded once and stored decoded in memory. A response that doesn't decode is a
  /// failure of the get, unless the origin has a newer one.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - name: The name of the disk level's directory. The default is `http`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory.
  ///   - memoryCapacity: The maximum number of values in memory. The default is 1,000.
  ///   - diskCapacity: The capacity of the disk level in bytes. The default is 100 MB.
  ///   - session: The session that holds the connections.
  ///   - offMainThread: Whether the disk level and the codec leave the main thread. The default is
  ///     `true`.
  ///   - offline: A closure that returns whether a URL is offline. For an offline URL, no request
  ///     is sent: a stored response answers, even a stale one unless its origin forbids that.
  ///     Without a usable response, the get is a miss.
  public static func json<Value: Codable & Sendable>(
    _ type: Value.Type, _ name: String = "http", in directory: URL? = nil,
    memoryCapacity: Int = 1000, diskCapacity: Int = 100_000_000,
    session: NetworkSession = .shared, offMainThread: Bool = true,
    offline: @escaping @Sendable (URL) -> Bool = { _ in false }
  ) -> Cache<URL, Value> {
    pipeline(
      .json(), .memory(capacity: memoryCapacity, clock: .system),
      http(
        .disk(name, in: directory, capacity: diskCapacity, offMainThread: offMainThread), session,
        offline))
  }

  /// Makes a cache of JSON without a model, by its URL.
  ///
  /// - Parameters:
  ///   - name: The name of the disk level's directory. The default is `http`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory.
  ///   - memoryCapacity: The maximum number of values in memory. The default is 1,000.
  ///   - diskCapacity: The capacity of the disk level in bytes. The default is 100 MB.
  ///   - session: The session that holds the connections.
  ///   - offMainThread: Whether the disk level and the codec leave the main thread. The default is
  ///     `true`.
  ///   - offline: A closure that returns whether a URL is offline. For an offline URL, no request
  ///     is sent: a stored response answers, even a stale one unless its origin forbids that.
  ///     Without a usable response, the get is a miss.
  public static func json(
    _ name: String = "http", in directory: URL? = nil, memoryCapacity: Int = 1000,
    diskCapacity: Int = 100_000_000, session: NetworkSession = .shared,
    offMainThread: Bool = true, offline: @escaping @Sendable (URL) -> Bool = { _ in false }
  ) -> Cache<URL, JSONValue> {
    pipeline(
      .jsonValue, .memory(capacity: memoryCapacity, clock: .system),
      http(
        .disk(name, in: directory, capacity: diskCapacity, offMainThread: offMainThread), session,
        offline))
  }

  static func http(
    _ store: Cache<String, Data>, _ session: NetworkSession,
    _ offline: @escaping @Sendable (URL) -> Bool
  ) -> HTTPCache {
    HTTPCache(storedIn: store, from: .responses(session: session), isOffline: offline)
  }

  /// Makes a cache of decoded values in memory over an HTTP cache.
  ///
  /// A stored response may be of an older model, so a response that doesn't decode is validated
  /// once. This function isn't optimized, because the optimizer would specialize all verbs for each
  /// type.
  @_optimize(none)
  static func pipeline<Value>(
    _ codec: Codec<Data, Value>, _ memory: Cache<URL, Stamped<Value>>, _ http: HTTPCache
  ) -> Cache<URL, Value> {
    let codec: Codec<Stamped<Data>, Stamped<Value>> = .stamped(codec)
    let stored = http.fetcher(accepting: .success) <*> codec
    let validated =
      http.fetcher(accepting: .success, sending: ["Cache-Control": "no-cache"]) <*> codec
    let origin = stored.recovering(with: { url, error in
      let isUndecoded = !(error is NetworkError || error is CancellationError || error.isMiss)
      return isUndecoded ? validated.get(url) : Promise(error: error)
    })
    return absolute <^> memory.backed(byStamped: origin.pooled(), clock: http.clock)
  }

  /// Returns the absolute form of a URL. A key path would cost every get a lookup at run time.
  private static func absolute(_ url: URL) -> URL { url.absoluteURL }
}
