/// A read with up to two answers: the cached value immediately, and the fresh value when it
/// arrives.
///
///     let updates = pages.forwarding(to: Fetcher<URL, String> { try await load($0) })
///     for try await update in updates.values(url) {
///       show(update.value, isFinal: update.source == .fresh)
///     }
///
/// - Law: a cached value never follows a fresh value: `updates.order`. See `UpdatesLaws`.
public struct Updates<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Begins a read and returns a stream of its answers, in the order of their arrival.
  ///
  /// The work has begun when this function returns. The stream ends after its last answer. If the
  /// read fails, the stream first delivers the answers that it has, and then throws the error.
  /// Cancelling the task that reads the stream, or releasing the stream, cancels the work. Only one
  /// task can read a stream. Each call begins a separate read.
  public let values: @Sendable (Key) -> AsyncThrowingStream<Update<Value>, any Error>

  /// The plan of this read.
  public let plan: CachePlan

  /// The cache to write through. Its writes win over the reads in flight.
  ///
  /// Gets of this cache return only cached values. If the read was made from a function, this is
  /// the cache that was passed with the function, by default the empty cache.
  public let cache: Cache<Key, Value>

  init(
    plan: CachePlan, cache: Cache<Key, Value>,
    _ values: @escaping @Sendable (Key) -> AsyncThrowingStream<Update<Value>, any Error>
  ) {
    self.values = values
    self.plan = plan
    self.cache = cache
  }

  /// Creates a read from a function.
  ///
  /// - Parameters:
  ///   - cache: The cache to write through. The default is the empty cache.
  ///   - values: A closure that begins the work and returns a stream. It must stop the work when
  ///     the stream is released. A `cached` value must not follow a `fresh` value. Called once for
  ///     each read, on the caller's thread.
  public init(
    cache: Cache<Key, Value> = .empty,
    _ values: @escaping @Sendable (Key) -> AsyncThrowingStream<Update<Value>, any Error>
  ) {
    self.init(plan: .level("updates", .constant), cache: cache, values)
  }
}

/// The source of an update.
public enum UpdateSource: String, Hashable, Sendable {
  /// The value is from a cache. A fresh value may follow.
  case cached
  /// The value is from the origin. It's the last update.
  case fresh
}

/// One answer of a read: a value and its source.
public struct Update<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The source of the value.
  public let source: UpdateSource

  /// Makes an update.
  public init(_ value: Value, from source: UpdateSource) {
    self.value = value
    self.source = source
  }
}

extension Update: Equatable where Value: Equatable {}
