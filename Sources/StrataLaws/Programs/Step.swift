/// A step of a program: an operation of a client, an event in a level, or a change of the clock.
package struct Step: Equatable, Sendable {
  /// The number of the client. In laws about threads, each client has its own thread.
  package var client: Int
  /// The action.
  package var action: Action

  /// Creates a step.
  package init(_ action: Action, client: Int = 0) {
    self.client = client
    self.action = action
  }

  /// An action with integer keys and values.
  package enum Action: Equatable, Sendable {
    /// Gets the value of a key.
    case get(Int)
    /// Stores a value under a key.
    case set(Int, Int)
    /// Removes the value of a key.
    case remove(Int)
    /// Removes all values.
    case clear
    /// Sends a memory warning.
    case warn
    /// Settles all slow operations of all levels.
    case rest
    /// Settles one of the slow operations of a level.
    case settle(level: Int, Int)
    /// Cancels one of the client's operations.
    case cancel(Int)
    /// Moves the clock forward by a number of milliseconds.
    case advance(Int)
  }
}

extension Step: CustomStringConvertible {
  /// The client and the action.
  package var description: String {
    switch action {
    case .rest, .settle, .advance: "\(action)"
    default: "client \(client): \(action)"
    }
  }
}

extension Step.Action: CustomStringConvertible {
  /// The action as text, such as `set 1 5`.
  package var description: String {
    switch self {
    case .get(let key): "get \(key)"
    case .set(let key, let value): "set \(key) \(value)"
    case .remove(let key): "remove \(key)"
    case .clear: "clear"
    case .warn: "warn"
    case .rest: "all levels settle all operations"
    case .settle(let level, let ordinal): "level \(level) settles operation \(ordinal)"
    case .cancel(let ordinal): "cancel operation \(ordinal)"
    case .advance(let milliseconds): "advance the clock by \(milliseconds) ms"
    }
  }

  /// Whether the action changes the value of a key.
  func writes(_ key: Int) -> Bool {
    switch self {
    case .set(key, _), .remove(key), .clear: true
    default: false
    }
  }
}

extension [Step] {
  /// The steps, one per line, with their numbers. For a cancellation, the line names the step that
  /// it cancels.
  ///
  /// - Parameter isShared: Whether a client may cancel the operations of all clients.
  func numbered(isShared: Bool = false) -> [String] {
    indices.map { index in
      guard case .cancel(let ordinal) = self[index].action else {
        return "\(index + 1). \(self[index])"
      }
      let begun = indices[..<index].filter {
        self[$0].action.begins(isShared)
          && (isShared || self[$0].client == self[index].client)
      }
      let target = begun.isEmpty ? nil : begun[ordinal % begun.count]
      let text = target.map { "the \(self[$0].action.name) of step \($0 + 1)" } ?? "nothing"
      return "\(index + 1). client \(self[index].client): cancel \(text)"
    }
  }
}

extension Step.Action {
  /// Whether the action begins an operation that can be cancelled.
  fileprivate func begins(_ warns: Bool) -> Bool {
    switch self {
    case .get, .set, .remove, .clear: true
    case .warn: warns
    default: false
    }
  }

  /// The first word of the description.
  fileprivate var name: Substring { description.prefix { $0 != " " } }
}
