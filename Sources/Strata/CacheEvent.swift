import Foundation

/// What happened at a stage of a pipeline, as ``Cache/observed(on:_:)`` reports it.
///
///     let seen = disk.named("disk").observed { event in
///       if case .failure(let error) = event.outcome { print(event.stage, error) }
///     }
public struct CacheEvent: Sendable {
  /// What was done.
  public enum Operation: String, Sendable {
    /// A value was asked for: the outcome is a hit, a miss, a failure or a cancellation.
    case get
    /// A value was stored.
    case set
    /// A value was removed.
    case remove
    /// All values were removed.
    case clear
    /// A value found in a lower level was written into one above.
    case backFill
    /// A value was loaded from the fetcher of a `refreshing`.
    case refresh
    /// A get joined a load of its key that was under way in a pool; for as long as that took.
    case join
    /// A get waited for its turn where only so many run at once.
    case wait
    /// A level let go of a value to keep its bounds.
    case eviction
    /// Memory is short.
    case memoryWarning
  }

  /// How it ended.
  public enum Outcome: Sendable {
    /// A hit, for a get; done, for anything else.
    case success
    /// There was no value; with the error that says why.
    case miss(any Error)
    /// Something broke.
    case failure(any Error)
    /// Nobody wanted the answer any more.
    case cancelled
  }

  /// The name that `named` gave the stage, or the plan of the observed cache where it has none.
  public let stage: String
  /// What was done.
  public let operation: Operation
  /// Of which key: a value of the stage's own key type, never formatted here; `nil` for all keys.
  public let key: (any Sendable)?
  /// How it ended.
  public let outcome: Outcome
  /// From the call to its end.
  public let duration: Duration
  /// Why a value left, for an eviction.
  public let cause: EvictionCause?
  /// The bytes of the value that was found, stored or evicted, if it is `Data`, `[UInt8]` or text,
  /// stamped or not.
  public let bytes: Int?
  /// Whether the stage stores nothing, as a network: what it answers is a load.
  public let isOrigin: Bool

  /// When it began, where it was reported by a stage.
  let start: Reporter.Start?
  /// Whether the stage has no name.
  let isUnnamed: Bool

  init(
    stage: String, operation: Operation, key: (any Sendable)?, outcome: Outcome,
    duration: Duration, cause: EvictionCause? = nil, bytes: Int? = nil, isOrigin: Bool = false,
    start: Reporter.Start? = nil, isUnnamed: Bool = false
  ) {
    (self.stage, self.operation, self.key, self.outcome) = (stage, operation, key, outcome)
    (self.duration, self.cause, self.bytes, self.isOrigin) = (duration, cause, bytes, isOrigin)
    (self.start, self.isUnnamed) = (start, isUnnamed)
  }

  /// The bytes of a value that consists of them.
  static func bytes(of value: Any) -> Int? {
    switch value {
    case let data as Data: data.count
    case let bytes as [UInt8]: bytes.count
    case let text as String: text.utf8.count
    case let wrapped as any Wrapping: bytes(of: wrapped.wrapped)
    default: nil
    }
  }
}

/// What holds a value whose bytes are counted in its place.
protocol Wrapping {
  var wrapped: Any { get }
}

extension Stamped: Wrapping {
  var wrapped: Any { value }
}

extension Idling: Wrapping {
  var wrapped: Any { stamped }
}

extension CacheEvent: CustomStringConvertible {
  /// One line: stage, operation, outcome and duration, without the key, which may be a secret.
  public var description: String {
    let end =
      switch (operation, outcome) {
      case (.get, .success): "hit"
      case (_, .success): "done"
      case (_, .miss): "miss"
      case (_, .failure(let error)): "failed: \(bounded("\(error)"))"
      case (_, .cancelled): "cancelled"
      }
    return "\(stage): \(operation.rawValue) \(end) in \(duration.formattedShort)"
  }
}

extension Duration {
  /// One digit after the point and a unit: `1.3 ms`.
  var formattedShort: String {
    let nanoseconds = self / .nanoseconds(1)
    let units: [(String, Double)] = [("s", 1e9), ("ms", 1e6), ("us", 1e3)]
    let unit = units.first { nanoseconds.magnitude >= $0.1 } ?? ("ns", 1)
    let tenths = (nanoseconds / unit.1 * 10).rounded() / 10
    return "\(tenths) \(unit.0)"
  }
}
