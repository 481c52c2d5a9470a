/// A read that may answer more than once: what is cached at once, and what is fresh when it comes.
///
///     let updates = pages.forwarding(to: Fetcher<URL, String> { try await load($0) })
///     for try await update in updates.values(url) {
///       show(update.value, isFinal: update.source == .fresh)
///     }
///
/// - Law: nothing cached comes after something fresh: `updates.order`; see `UpdatesLaws`.
public struct Updates<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// Begins a read and returns its answers, in the order in which they come.
  ///
  /// The work has begun when this returns. The stream ends when there is no more to come, and
  /// throws an error after what it has to deliver; cancelling the task that reads it, or letting go
  /// of it, cancels the work. It is for one reader; each call begins a read of its own.
  public let values: @Sendable (Key) -> AsyncThrowingStream<Update<Value>, any Error>

  /// The static description of this read.
  public let plan: CachePlan

  init(
    plan: CachePlan,
    _ values: @escaping @Sendable (Key) -> AsyncThrowingStream<Update<Value>, any Error>
  ) {
    self.values = values
    self.plan = plan
  }

  /// Makes a read of a function.
  ///
  /// - Parameter values: Called once for each read, on the caller's thread; begins the work, and
  ///   stops it when the stream is let go of. Nothing marked `cached` may come after something
  ///   `fresh`.
  public init(
    _ values: @escaping @Sendable (Key) -> AsyncThrowingStream<Update<Value>, any Error>
  ) {
    self.init(plan: .level("updates"), values)
  }
}

/// Where an answer of a read comes from.
public enum UpdateSource: String, Hashable, Sendable {
  /// From a cache; a fresh one may follow.
  case cached
  /// From the origin: the last one.
  case fresh
}

/// One answer of a read, and where it comes from.
public struct Update<Value: Sendable>: Sendable {
  /// The answer.
  public let value: Value
  /// Where it comes from.
  public let source: UpdateSource

  /// Makes an answer.
  public init(_ value: Value, from source: UpdateSource) {
    self.value = value
    self.source = source
  }
}

extension Update: Equatable where Value: Equatable {}
