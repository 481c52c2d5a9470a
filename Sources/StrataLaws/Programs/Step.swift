/// One thing that a client does with a cache, or that happens to the levels beneath it.
public struct Step: Equatable, Sendable {
  /// Who does it: each client has a copy of the cache, and on real threads a thread of its own.
  public var client: Int
  /// What is done.
  public var action: Action

  /// Makes a step.
  public init(_ action: Action, client: Int = 0) {
    self.client = client
    self.action = action
  }

  /// What can be done; keys and values are numbers.
  public enum Action: Equatable, Sendable {
    /// Asks for the value of a key.
    case get(Int)
    /// Stores a value under a key.
    case set(Int, Int)
    /// Removes the value of a key.
    case remove(Int)
    /// Removes all values.
    case clear
    /// Tells the cache that memory is short.
    case warn
    /// Lets a level answer one of the slow operations that wait in it.
    case settle(level: Int, Int)
    /// Cancels one of the operations that the client has begun.
    case cancel(Int)
    /// Moves the clock forward by milliseconds.
    case advance(Int)
  }
}

extension Step: CustomStringConvertible {
  /// The client and what it does.
  public var description: String {
    switch action {
    case .settle, .advance: "\(action)"
    default: "client \(client): \(action)"
    }
  }
}

extension Step.Action: CustomStringConvertible {
  /// In words: `set 1 5`.
  public var description: String {
    switch self {
    case .get(let key): "get \(key)"
    case .set(let key, let value): "set \(key) \(value)"
    case .remove(let key): "remove \(key)"
    case .clear: "clear"
    case .warn: "warn"
    case .settle(let level, let ordinal): "level \(level) answers the \(ordinal). that waits"
    case .cancel(let ordinal): "cancel its \(ordinal). operation"
    case .advance(let milliseconds): "advance the clock by \(milliseconds) ms"
    }
  }

  /// Whether it changes what is stored under a key.
  func writes(_ key: Int) -> Bool {
    switch self {
    case .set(key, _), .remove(key), .clear: true
    default: false
    }
  }
}
