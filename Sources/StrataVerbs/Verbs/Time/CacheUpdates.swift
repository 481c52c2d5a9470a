/// A cache and an origin whose reads have up to two answers: first the cached value, and then the
/// fresh value.
///
///     let updates = pages.updating(from: Fetcher<URL, String> { try await load($0) })
///     for try await update in updates.values(url) {
///       show(update.value, isFinal: update.source == .fresh)
///     }
///
/// - Law: A cached value never follows a fresh value. See `updates.order`, checked by
///   `UpdatesLaws`.
public struct CacheUpdates<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Begins a read and returns a stream of its answers, in the order of their arrival.
  ///
  /// The read has begun when this function returns, and the stream ends after the last answer. When
  /// the read fails, the stream first delivers the answers that have arrived, and then throws the
  /// error. To cancel the read, cancel the task that reads the stream, or release the stream. Only
  /// one task can read a stream, so call this function once for each task.
  public let values: @Sendable (Key) -> AsyncThrowingStream<CacheUpdate<Value>, any Error>

  /// The plan of the reads.
  public let plan: CachePlan

  /// The cache to write through. Writes through this cache take precedence over in-flight reads.
  ///
  /// A get of this cache returns only cached values. With `updating(from:)`, it's the original cache
  /// and stores what the reads deliver. With ``init(cache:_:)``, it's the cache that you pass. By
  /// default, that's the empty cache.
  public let cache: Cache<Key, Value>

  init(
    plan: CachePlan, cache: Cache<Key, Value>,
    _ values: @escaping @Sendable (Key) -> AsyncThrowingStream<CacheUpdate<Value>, any Error>
  ) {
    self.values = values
    self.plan = plan
    self.cache = cache
  }

  /// Creates a `CacheUpdates` value from a closure that begins a read.
  ///
  /// - Parameters:
  ///   - cache: The cache for writes, which becomes the ``cache`` property. The default is the
  ///     empty cache.
  ///   - values: A closure that begins a read and returns a stream of its answers. It runs once for
  ///     each read, on the caller's thread. The read must stop when the stream is released. In the
  ///     stream, a `cached` value must not follow a `fresh` value.
  public init(
    cache: Cache<Key, Value> = .empty,
    _ values: @escaping @Sendable (Key) -> AsyncThrowingStream<CacheUpdate<Value>, any Error>
  ) {
    self.init(plan: .level("updates", .constant), cache: cache, values)
  }
}

/// The source of an update.
public enum UpdateSource: String, Hashable, Sendable {
  /// The value is from a cache. A fresh value might follow.
  case cached
  /// The value is from the origin. The stream delivers no update after a fresh value.
  case fresh
}

/// One answer of a read: a value and its source.
public struct CacheUpdate<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The source of the value.
  public let source: UpdateSource

  /// Creates an update.
  public init(_ value: Value, from source: UpdateSource) {
    self.value = value
    self.source = source
  }
}

extension CacheUpdate: Equatable where Value: Equatable {}
