/// A read with up to two answers: the cached value immediately, and the fresh value when it
/// arrives.
///
///     let updates = pages.forwarding(to: Fetcher<URL, String> { try await load($0) })
///     for try await update in updates.values(url) {
///       show(update.value, isFinal: update.source == .fresh)
///     }
///
/// - Law: no cached value follows a fresh one: `updates.order`. See `UpdatesLaws`.
public struct Updates<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Begins a read and returns its answers in the order of their arrival.
  ///
  /// The work has begun when this returns. The stream ends after its last answer, and throws an
  /// error after the answers that it can deliver. Cancelling the reading task or releasing the
  /// stream cancels the work. A stream has one reader, and each call begins a separate read.
  public let values: @Sendable (Key) -> AsyncThrowingStream<Update<Value>, any Error>

  /// The static description of this read.
  public let plan: CachePlan

  /// The cache to write through. Its writes win over the reads in flight.
  ///
  /// Its gets return cached values only. For a read made from a function, this cache is empty.
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
  ///   - values: Called once for each read, on the caller's thread. It begins the work, and stops
  ///     the work when the stream is released. A `cached` value must not follow a `fresh` one.
  public init(
    cache: Cache<Key, Value> = .empty,
    _ values: @escaping @Sendable (Key) -> AsyncThrowingStream<Update<Value>, any Error>
  ) {
    self.init(plan: .level("updates", .constant), cache: cache, values)
  }
}

/// The source of an update.
public enum UpdateSource: String, Hashable, Sendable {
  /// A cache. A fresh value may follow.
  case cached
  /// The origin. This is the last update.
  case fresh
}

/// One answer of a read, with its source.
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
