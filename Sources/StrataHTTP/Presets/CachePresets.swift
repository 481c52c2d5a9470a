import Foundation
import StrataDisk
import StrataNetwork
import StrataVerbs

/// Complete pipelines for web resources: memory above an HTTP cache on disk. Concurrent gets of a
/// key share one load.
///
///     let articles = CachePresets.json(Article.self)
///     let article = try await articles.value(for: url)
///
/// The origin decides how long a value is fresh. See <doc:HTTPCaching>. If a response has neither a
/// lifetime nor `Last-Modified`, its value must be loaded or validated again for every get. When the origin can't be reached, the cache
/// returns a stale value unless the origin forbids it.
///
/// Hits in memory return synchronously, even on the main thread. By default, all other work runs
/// off the main thread.
///
/// Each call to a function such as `data()` creates a new cache with its own memory. But caches
/// with the same directory share a store, which contains the unmodified responses. So a `set`
/// stores its value only in memory, and removes the stored responses for the URL from the disk. If
/// sessions have different credentials, their responses are separate even in a shared store. When a
/// user logs out, call `removeAll()`.
public enum CachePresets {
  /// A cache that the whole program can share, created with the default arguments of
  /// ``data(_:in:memoryCapacity:diskCapacity:session:offMainThread:offline:)``.
  public static let sharedData = data()

  /// A cache that the whole program can share, created with the default arguments of
  /// ``json(_:in:memoryCapacity:diskCapacity:session:offMainThread:offline:)``.
  public static let sharedJSON = json()

  /// Creates a cache of bytes with URLs as keys.
  ///
  /// - Parameters:
  ///   - name: The name of the disk level's directory. The default is `http`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory.
  ///   - memoryCapacity: The capacity of the memory level in bytes. The default is 64 MiB.
  ///   - diskCapacity: The capacity of the disk level in bytes. The default is 100 MB.
  ///   - session: The network session whose connections the cache uses.
  ///   - offMainThread: Whether the disk level and the codec run off the main thread. The default
  ///     is `true`.
  ///   - offline: Returns whether a URL is unreachable, for example because the device is offline.
  ///     If it returns `true`, the cache sends no request, and returns a stored response, even a
  ///     stale one unless the origin forbids it. Without a usable response, the get is a miss. The
  ///     cache calls this closure only if it has no fresh value, and may call it twice for one get.
  /// - Returns: A cache that uses the absolute form of each URL as the key.
  public static func data(
    _ name: String = "http", in directory: URL? = nil, memoryCapacity: Int = 64 << 20,
    diskCapacity: Int = 100_000_000, session: NetworkSession = .shared,
    offMainThread: Bool = true, offline: @escaping @Sendable (URL) -> Bool = { _ in false }
  ) -> Cache<URL, Data> {
    pipeline(
      .identity, .memory(capacity: .bytes(memoryCapacity), clock: .system),
      http(
        .disk(name, in: directory, capacity: diskCapacity, offMainThread: offMainThread), session,
        offline))
  }

  /// Creates a cache of values with URLs as keys. The origin sends the values as JSON.
  ///
  /// Each value is decoded once, and memory stores the decoded value. When a stored response can't
  /// be decoded, the get succeeds only if the origin has a newer one that can be.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - name: The name of the disk level's directory. The default is `http`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory.
  ///   - memoryCapacity: The maximum number of values in memory. The default is 1,000.
  ///   - diskCapacity: The capacity of the disk level in bytes. The default is 100 MB.
  ///   - session: The network session whose connections the cache uses.
  ///   - offMainThread: Whether the disk level and the codec run off the main thread. The default
  ///     is `true`.
  ///   - offline: Returns whether a URL is unreachable, for example because the device is offline.
  ///     If it returns `true`, the cache sends no request, and returns a stored response, even a
  ///     stale one unless the origin forbids it. Without a usable response, the get is a miss. The
  ///     cache calls this closure only if it has no fresh value, and may call it twice for one get.
  public static func json<Value: Codable & Sendable>(
    _ type: Value.Type, _ name: String = "http", in directory: URL? = nil,
    memoryCapacity: Int = 1000, diskCapacity: Int = 100_000_000,
    session: NetworkSession = .shared, offMainThread: Bool = true,
    offline: @escaping @Sendable (URL) -> Bool = { _ in false }
  ) -> Cache<URL, Value> {
    pipeline(
      .json(), .memory(capacity: .count(memoryCapacity), clock: .system),
      http(
        .disk(name, in: directory, capacity: diskCapacity, offMainThread: offMainThread), session,
        offline))
  }

  /// Creates a cache of untyped JSON values with URLs as keys.
  ///
  /// - Parameters:
  ///   - name: The name of the disk level's directory. The default is `http`.
  ///   - directory: The file URL of the parent directory. The default is `Strata` in the user's
  ///     caches directory.
  ///   - memoryCapacity: The maximum number of values in memory. The default is 1,000.
  ///   - diskCapacity: The capacity of the disk level in bytes. The default is 100 MB.
  ///   - session: The network session whose connections the cache uses.
  ///   - offMainThread: Whether the disk level and the codec run off the main thread. The default
  ///     is `true`.
  ///   - offline: Returns whether a URL is unreachable, for example because the device is offline.
  ///     If it returns `true`, the cache sends no request, and returns a stored response, even a
  ///     stale one unless the origin forbids it. Without a usable response, the get is a miss. The
  ///     cache calls this closure only if it has no fresh value, and may call it twice for one get.
  public static func json(
    _ name: String = "http", in directory: URL? = nil, memoryCapacity: Int = 1000,
    diskCapacity: Int = 100_000_000, session: NetworkSession = .shared,
    offMainThread: Bool = true, offline: @escaping @Sendable (URL) -> Bool = { _ in false }
  ) -> Cache<URL, JSONValue> {
    pipeline(
      .jsonValue, .memory(capacity: .count(memoryCapacity), clock: .system),
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

  /// Creates a pipeline that stores decoded values in memory above an HTTP cache.
  ///
  /// Stored responses may have the format of an older model type. When one can't be decoded, the
  /// pipeline validates it once with the origin. Optimization is disabled, because the optimizer
  /// would create a copy of every called function for each value type.
  @_optimize(none)
  static func pipeline<Value>(
    _ codec: Codec<Data, Value>, _ memory: Cache<URL, Stamped<Value>>, _ http: HTTPCache
  ) -> Cache<URL, Value> {
    let codec: Codec<Stamped<Data>, Stamped<Value>> = .stamped(codec)
    let stored = http.fetcher(accepting: .success) <*> codec
    let validated = http.fetcher(accepting: .success, validating: true) <*> codec
    let origin = stored.recovering(with: { url, error in
      let isUndecoded = !(error is NetworkError || error is CancellationError || error.isMiss)
      return isUndecoded ? validated.get(url) : Promise(error: error)
    })
    return absolute <^> memory.backed(byStamped: origin.pooled(), clock: http.clock)
  }

  /// Returns the absolute form of a URL. It's a function instead of a key path, because a key path
  /// would add a runtime lookup to every get.
  private static func absolute(_ url: URL) -> URL { url.absoluteURL }
}
