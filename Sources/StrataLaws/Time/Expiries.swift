import StrataVerbs

/// The verbs that the laws of expiry check. By default, they are Strata's own.
public struct ExpiryVerbs: Sendable {
  /// A level of stamped values.
  public typealias Level = Cache<Int, Stamped<Int>>

  /// Stamps every value with a deadline.
  public var after: @Sendable (Level, Duration, TimeSource) -> Cache<Int, Int> = {
    $0.clocked(by: $2).expiring(after: $1)
  }
  /// Returns a cache of the values without adding a deadline.
  public var unlimited: @Sendable (Level, TimeSource) -> Cache<Int, Int> = {
    $0.clocked(by: $1).expiring { _, _ in nil }
  }
  /// Limits the age of the values from a level.
  public var maxAge: @Sendable (Level, Duration, TimeSource) -> Level = {
    $0.clocked(by: $2).aged(atMost: $1)
  }
  /// Adds two levels.
  public var sum: @Sendable (Level, Level) -> Level = { $0 + $1 }

  /// Creates the verbs of Strata.
  public init() {}
}

extension Laws {
  /// The laws of expiry.
  public static var expiry: Laws { expiry(ExpiryVerbs()) }

  /// Returns laws that check your own verbs for expiry.
  public static func expiry(_ verbs: ExpiryVerbs) -> Laws {
    let expiring: LifeBuild = { verbs.after(verbs.sum($0.upper, $0.lower), $0.lifetime, $0.time) }
    return Laws(
      "time",
      [
        Law(
          time: "time.deadline", "get at t is v => t < v.expiresAt",
          "No get returns a value at or after its deadline.", isClosed: false, of: expiring,
          complaintOfTheDead),
        Law(
          time: "time.promotion", "(a + b).expiring(after:): a[k] == b[k]",
          "A back-fill keeps the creation time and the deadline.", of: expiring,
          complaintOfAgesApart),
        Law(
          time: "time.neverExtended", "deadline(v) later <= deadline(v)",
          "No verb moves a deadline or a creation time to a later time.", of: expiring,
          complaintOfExtension()),
        Law(
          time: "time.entries", "a.expiring { nil } == a, except for expired values",
          "If `expiring` adds no deadline, a get returns exactly the unexpired entries.",
          isClosed: false, of: { verbs.unlimited($0.upper, $0.time) }, complaintOfOtherAnswers),
        Law(
          time: "time.definition", "(a + b).expiring(after: x): a get before set + x is the value",
          "A get returns a value from the time of its set until its deadline.", isClosed: false,
          expiring, is: { definedExpiry($0) }),
        Law(
          time: "time.leastBound", "a.aged(atMost: x).aged(atMost: y) == a.aged(atMost: min(x, y))",
          "If a level has two age limits, the smaller one applies.", isClosed: false,
          {
            verbs.unlimited(
              verbs.maxAge(verbs.maxAge($0.upper, $0.bounds[0], $0.time), $0.bounds[1], $0.time),
              $0.time)
          },
          is: {
            verbs.unlimited(
              verbs.maxAge($0.upper, min($0.bounds[0], $0.bounds[1]), $0.time), $0.time)
          }),
        Law(
          time: "time.bound", "a.aged(atMost: x) + b.aged(atMost: y)",
          "Each level of a sum may have its own age limit, and a back-fill keeps the age.",
          isClosed: false,
          { context in
            verbs.unlimited(
              verbs.sum(
                verbs.maxAge(context.upper, context.bounds[0], context.time),
                verbs.maxAge(context.lower, context.bounds[1], context.time)), context.time)
          }, is: { definedBounds($0) }),
      ])
  }
}

/// A function that builds the cache under test for a law of expiry.
package typealias LifeBuild = @Sendable (LifeContext) -> Cache<Int, Int>

extension Law {
  /// Creates a law that requires two caches, each with two levels of stamped values, to behave
  /// identically.
  ///
  /// - Parameters:
  ///   - name: The name of the law, prefixed with the name of its structure, such as
  ///     `time.deadline`.
  ///   - statement: The law in symbols.
  ///   - sentence: The law in words.
  ///   - isClosed: Whether values reach the levels only through the cache under test.
  ///   - left: A function that builds the cache on the left side of the law.
  ///   - right: A function that builds the cache on the right side of the law.
  package init(
    time name: String, _ statement: String, _ sentence: String, isClosed: Bool = true,
    _ left: @escaping LifeBuild, is right: @escaping LifeBuild
  ) {
    self.init(
      name, statement, sentence, draw: { LifeProgram.random(isClosed: isClosed, using: &$0) },
      judge: { program in
        let (left, right) = (LifeRun.facts(program, left), LifeRun.facts(program, right))
        guard left != right else { return nil }
        return LawEvidence(
          left: ("left", left.map(\.description)), right: ("right", right.map(\.description)))
      })
  }

  /// Creates a law that runs a random program on one cache, and checks every step. `violation`
  /// receives the facts about the steps up to the checked one. It returns what the law allows
  /// instead, or `nil` for a lawful step.
  init(
    time name: String, _ statement: String, _ sentence: String, isClosed: Bool = true,
    of build: @escaping LifeBuild,
    _ violation: @escaping @Sendable (ArraySlice<LifeFact>) -> String?
  ) {
    self.init(
      name, statement, sentence, draw: { LifeProgram.random(isClosed: isClosed, using: &$0) },
      judge: { program in
        let facts = LifeRun.facts(program, build)
        return LawEvidence(
          facts.indices.map { (facts[$0].description, violation(facts[...$0])) })
      })
  }
}
