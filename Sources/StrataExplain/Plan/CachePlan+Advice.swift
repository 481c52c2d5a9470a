import Strata

extension CachePlan {
  /// The advice that a reviewer would give about this pipeline.
  ///
  /// Each remark has a location, a reason, and a remedy. A pipeline may have good reasons to ignore
  /// a remark. The list is empty if no rule applies.
  ///
  ///     let pages: Cache<URL, String> = .memory() + .network() <*> .utf8
  ///     for remark in pages.plan.advice { print(remark) }
  ///     // network: no pool is above this level, so overlapping gets of a key each load it. …
  ///
  /// Rules depend on the roles, kinds, and arguments of the nodes, and never on their text.
  ///
  /// - Returns: The remarks in the order of their locations, from the top and from the left.
  /// - Complexity: O(n²) in the number of nodes.
  /// - Law: Parentheses don't change the advice: `plans.associativity.advice`. See `PlanLaws`.
  public var advice: [Advice] { PlanLinter(self).advice }

  /// A remark about one node of a plan.
  public struct Advice: Equatable, Sendable, CustomStringConvertible {
    /// The rule behind a remark.
    public enum Kind: String, CaseIterable, Sendable {
      /// A slow level without a pool above it loads a key once for each overlapping get.
      case unpooledRemote
      /// A pool above a memory level slows down each hit in memory.
      case pooledMemory
      /// A level returns values after they have expired in the level below.
      case upperOutlivesLower
      /// A codec above a memory level decodes the value at each hit.
      case decodedAtEveryHit
      /// A level has no capacity.
      case unbounded
      /// A codec above a pool decodes a shared value once for each waiter.
      case decodedOutsidePool
      /// A back-fill restarts the age of a value.
      case restartedAge
      /// An undecodable record fails the whole sum, and isn't replaced.
      case unhealable
      /// A level receives no gets or no values.
      case unreachable
    }

    /// The rule behind the remark.
    public let kind: Kind
    /// The index of the child to take at each node, beginning at the root of the plan.
    public let path: [Int]
    /// The node as an expression.
    public let location: String
    /// The reason for the remark, as a clause.
    public let reason: String
    /// The proposed change, as a sentence without a full stop.
    public let remedy: String

    /// The location, reason, and remedy on one line.
    public var description: String { "\(location): \(reason). \(remedy)." }
  }
}
