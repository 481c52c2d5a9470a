extension CachePlan {
  /// What a reviewer would say of a pipeline: each remark with its reason and its place.
  ///
  /// Nothing here is wrong in itself, and a pipeline may have its reasons; an empty list means that
  /// no rule has anything to say.
  ///
  ///     let pages: Cache<URL, String> = .memory() + .network() <*> .utf8
  ///     for remark in pages.plan.advice { print(remark) }
  ///     // network: no pool stands above it, so gets of one key that overlap load it each. …
  ///
  /// - Returns: The remarks in the order of their places, from the top down and from left to right.
  /// - Complexity: O(n²) in the number of nodes, at worst.
  /// - Law: brackets change no remark; see `CachePlanAdviceTests.testBracketsChangeNoRemark`.
  public var advice: [Advice] {
    let survey = PlanSurvey(normalized)
    let rules = [
      survey.unpooledRemote, survey.pooledMemory, survey.upperOutlivesLower,
      survey.decodedAtEveryHit, survey.unbounded, survey.decodedOutsidePool, survey.restartedAge,
      survey.unhealable, survey.unreachable, survey.neverAnswering,
    ]
    return survey.places.flatMap { place in rules.compactMap { $0(place) } }
  }

  /// One remark of a reviewer about one place in a pipeline.
  public struct Advice: Equatable, Sendable, CustomStringConvertible {
    /// What a remark is about.
    public enum Kind: String, CaseIterable, Sendable {
      /// A remote level is loaded once for each get that overlaps: no pool stands above it.
      case unpooledRemote
      /// A hit in memory pays for a pool.
      case pooledMemory
      /// An upper level keeps what has expired in the one beneath.
      case upperOutlivesLower
      /// A hit in memory is decoded each time.
      case decodedAtEveryHit
      /// Nothing says how much a level may hold.
      case unbounded
      /// Each waiter of a pool decodes what they share.
      case decodedOutsidePool
      /// The age of a value begins anew when it is promoted.
      case restartedAge
      /// A record that no longer decodes fails the sum, and is not replaced.
      case unhealable
      /// A level is not reached, or not filled.
      case unreachable
    }

    /// What it is about.
    public let kind: Kind
    /// Which part to take at each node from the root of the plan on; sums are opened.
    public let path: [Int]
    /// The place as an expression.
    public let place: String
    /// Why it matters.
    public let reason: String
    /// What to write instead.
    public let remedy: String

    /// Place, reason and remedy in one line.
    public var description: String { "\(place): \(reason). \(remedy)." }
  }
}

/// A plan with all its places, which rules look at.
struct PlanSurvey: Sendable {
  let places: [PlanPlace]

  init(_ plan: CachePlan) { places = plan.places }

  /// A place and everything beneath it.
  func beneath(_ path: [Int]) -> [PlanPlace] { places.filter { $0.path.starts(with: path) } }

  /// The levels beneath a place.
  func levels(_ path: [Int]) -> [PlanPlace] { beneath(path).filter { $0.level != nil } }

  /// The node around a place; `nil` at the root.
  func parent(of place: PlanPlace) -> CachePlan? {
    place.path.isEmpty ? nil : places.first { $0.path == place.path.dropLast() }?.plan
  }

  func remark(
    _ kind: CachePlan.Advice.Kind, _ place: PlanPlace, _ reason: String, _ remedy: String
  ) -> CachePlan.Advice {
    CachePlan.Advice(
      kind: kind, path: place.path, place: place.plan.description, reason: reason, remedy: remedy)
  }
}

extension PlanPlace {
  /// The name of the level here; `nil` if here is none.
  var level: String? {
    guard case .level(let name, _, _) = plan else { return nil }
    return name
  }

  /// Whether here is a level that can hold something.
  var stores: Bool { level.map { !CachePlan.isSource($0) } ?? false }

  /// How long a value lives here; `nil` if that is not known, for ever as the greatest.
  var knownLifetime: Duration? {
    isLifetimeUnknown ? nil : lifetime ?? .seconds(Int64.max)
  }
}
