extension ScriptedLevel {
  /// An event of a level.
  struct Event: Equatable, Sendable, CustomStringConvertible {
    enum Kind: Equatable, Sendable { case asked, answered, cancelled }

    let kind: Kind
    let call: Step.Action
    /// The number of the call that caused the event, which all events of that call share.
    let number: Int
    let when: Int

    var description: String {
      switch kind {
      case .asked: "\(call)"
      case .answered: "answer \(call)"
      case .cancelled: "cancel \(call)"
      }
    }
  }

  /// The contents of a level when no operation is in flight, and whether the level received a
  /// memory warning.
  package struct Rest: Equatable, Sendable, CustomStringConvertible {
    /// The contents.
    package let contents: [Int: Int]
    /// Whether the level received a memory warning.
    package let isWarned: Bool

    /// The contents in key order.
    package var description: String {
      let entries = contents.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "[\(entries.joined(separator: ", "))]" + (isWarned ? " warned" : "")
    }
  }
}
