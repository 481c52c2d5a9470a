import StrataVerbs

extension CachePlan {
  /// Advice about this pipeline, like the remarks of a code reviewer.
  ///
  /// Each remark has a location, a reason, and a remedy. You may have good reasons to ignore a
  /// remark. This list is empty if no rule applies.
  ///
  ///     let pages: Cache<URL, String> = .memory() + .network() <*> .utf8
  ///     for remark in pages.plan.advice { print(remark) }
  ///     // network: no pool is above this level, so each of several overlapping gets loads the key. …
  ///
  /// Rules depend on the roles, kinds, and arguments of the plan's nodes, but never on the text
  /// that describes a node. When an argument is itself a plan, such as the origin of an HTTP cache,
  /// the rules check this plan separately. Its loads count as pooled, because gets of the node with
  /// this argument share them.
  ///
  /// - Returns: The remarks in the order of their locations, from top to bottom and from left to
  ///   right.
  /// - Complexity: O(n) in the number of nodes for each level of nesting, plus a short comparison
  ///   for each pair of members of a sum.
  /// - Law: Parentheses within a sum don't change the advice. See the law
  ///   `plans.associativity.advice` in `PlanLaws`.
  public var advice: [Advice] { PlanLinter.advice(about: self) }

  /// A remark about one node of a plan.
  public struct Advice: Equatable, Sendable, CustomStringConvertible {
    /// The rule behind a remark.
    public enum Kind: String, CaseIterable, Sendable {
      /// A slow level has no pool above it, so overlapping gets of a key don't share one load.
      case unpooledRemote
      /// A pool above a memory level slows down each hit in memory.
      case pooledMemory
      /// A level returns values that have already expired in the level below.
      case upperOutlivesLower
      /// A codec above a memory level decodes the value on each hit.
      case decodedAtEveryHit
      /// A level has no capacity.
      case unbounded
      /// A codec above a pool decodes a shared value once for each waiting get.
      case decodedOutsidePool
      /// A back-fill resets the age of a value to zero.
      case restartedAge
      /// A record that can't be decoded makes the whole sum fail, so no back-fill replaces it.
      case unhealable
      /// A level is useless, for example because gets never reach it, or because it can't store a
      /// value.
      case unreachable
    }

    /// The rule behind the remark.
    public let kind: Kind
    /// The path from the root of the plan to the node. Its elements are indices of child nodes.
    /// Arguments of a node can contain plans, such as those in `http(storedIn: …, from: …)`. These
    /// plans come after the node's children.
    public let path: [Int]
    /// The expression of the node.
    public let location: String
    /// The reason for the remark, as a clause.
    public let reason: String
    /// The proposed change, as a sentence without a period.
    public let remedy: String

    /// The location, the reason, and the remedy on one line.
    public var description: String { "\(location): \(reason). \(remedy)." }
  }
}
