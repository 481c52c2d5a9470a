extension ScriptedLevel {
  /// Something that happened to a level.
  struct Event: Equatable, Sendable, CustomStringConvertible {
    enum Kind: Equatable, Sendable { case asked, answered, cancelled }

    let kind: Kind
    let call: Step.Action
    /// Tells one call of the level from another.
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

  /// What a level holds when nothing is under way, and whether it was warned.
  public struct Rest: Equatable, Sendable, CustomStringConvertible {
    /// What it holds.
    public let contents: [Int: Int]
    /// Whether memory was said to be short.
    public let isWarned: Bool

    /// The contents in the order of the keys.
    public var description: String {
      let entries = contents.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "[\(entries.joined(separator: ", "))]" + (isWarned ? " warned" : "")
    }
  }
}
