extension CachePlan {
  /// The kind of a level or a verb.
  ///
  /// Each type of level or verb has its own kind. But a `switch` over kinds needs a default case,
  /// because later versions of Strata might add kinds.
  ///
  ///     switch pages.plan.kind {
  ///     case "pooled": print("one load for each key")
  ///     default: print("a level, or another verb")
  ///     }
  public struct Kind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name that the text of a plan shows.
    public let name: String

    /// Creates a kind from its name.
    package init(_ name: String) { self.name = name }

    /// Creates a kind from its name.
    public init(stringLiteral name: String) { self.name = name }

    /// The name.
    public var description: String { name }

    /// The kind of `named(_:)`.
    package static let named: Self = "named"
  }

  /// The role of a level in a pipeline. Advice about a plan depends on roles, not on kinds.
  public struct Role: Hashable, Sendable {
    /// Whether a write to the level stores the value.
    public let stores: Bool
    /// Whether a get is about as fast as a lookup in a dictionary.
    public let isImmediate: Bool

    /// The role of a level that stores values in the memory of this process, such as `.memory()`.
    public static let memory = Role(stores: true, isImmediate: true)
    /// The role of a level that stores values outside of this process, such as `.disk("pages")`.
    public static let storage = Role(stores: true, isImmediate: false)
    /// The role of a level that loads values without storing them, such as `.network()`.
    public static let origin = Role(stores: false, isImmediate: false)
    /// The role of a level that returns values immediately without storing them, such as a
    /// constant.
    public static let constant = Role(stores: false, isImmediate: true)
  }
}
