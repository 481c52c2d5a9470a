import Strata

/// The verbs that laws about age are about: those of Strata, or some of your own.
public struct ExpiryVerbs: Sendable {
  /// A level of stamped values.
  public typealias Level = Cache<Int, Stamped<Int>>

  /// Lets every value live for some time.
  public var after: @Sendable (Level, Duration, TimeSource) -> Cache<Int, Int> = {
    $0.expiring(after: $1, on: $2)
  }
  /// Adds no deadline.
  public var unlimited: @Sendable (Level, TimeSource) -> Cache<Int, Int> = {
    $0.expiring(on: $1) { _, _ in nil }
  }
  /// Bounds the age of what a level answers.
  public var maxAge: @Sendable (Level, Duration, TimeSource) -> Level = { $0.maxAge($1, on: $2) }
  /// Puts a level above another.
  public var sum: @Sendable (Level, Level) -> Level = { $0 + $1 }

  /// Makes the verbs of Strata.
  public init() {}
}

extension Laws {
  /// What expiry promises, of Strata's verbs.
  public static var expiry: Laws { expiry(ExpiryVerbs()) }

  /// What expiry promises, of verbs of your own.
  public static func expiry(_ verbs: ExpiryVerbs) -> Laws {
    let expiring: LifeBuild = { verbs.after(verbs.sum($0.upper, $0.lower), $0.lifetime, $0.time) }
    return Laws(
      "time",
      [
        Law(
          time: "time.deadline", "get at t is v => t < v.expiresAt",
          "Nothing is ever answered at its deadline or past it.", isClosed: false, of: expiring,
          complaintOfTheDead),
        Law(
          time: "time.promotion", "(a + b).expiring(after:): a[k] == b[k]",
          "Promotion keeps birth and deadline.", of: expiring, complaintOfAgesApart),
        Law(
          time: "time.neverExtended", "deadline(v) later <= deadline(v)",
          "No verb moves a deadline or a birth to a later moment.", of: expiring,
          complaintOfExtension()),
        Law(
          time: "time.entries", "a.expiring { nil } == a while it lives",
          "Without a time of its own, expiry answers exactly what the entries hold.",
          isClosed: false, of: { verbs.unlimited($0.upper, $0.time) }, complaintOfOtherAnswers),
        Law(
          time: "time.definition", "(a + b).expiring(after: x): a get before set + x is the value",
          "A value lives from its set to its deadline, and not longer.", isClosed: false,
          expiring, is: { definedExpiry($0) }),
        Law(
          time: "time.leastBound", "a.maxAge(x).maxAge(y) == a.maxAge(min(x, y))",
          "Of two bounds the least one wins.", isClosed: false,
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
          time: "time.bound", "a.maxAge(x) + b.maxAge(y)",
          "Each level of a sum may have a bound of its own, and what is promoted is not young.",
          isClosed: false,
          { setting in
            verbs.unlimited(
              verbs.sum(
                verbs.maxAge(setting.upper, setting.bounds[0], setting.time),
                verbs.maxAge(setting.lower, setting.bounds[1], setting.time)), setting.time)
          }, is: { definedBounds($0) }),
      ])
  }
}

/// Makes the cache that a law about age is about.
package typealias LifeBuild = @Sendable (LifeSetting) -> Cache<Int, Int>

extension Law {
  /// Makes a law of two ways to make one cache, over two levels of stamped values.
  ///
  /// - Parameters:
  ///   - name: The structure and the law's own name.
  ///   - statement: What holds, in symbols.
  ///   - sentence: What holds, in words.
  ///   - isClosed: Whether nothing is put into the levels from elsewhere.
  ///   - left: Makes the left side.
  ///   - right: Makes the right side.
  package init(
    time name: String, _ statement: String, _ sentence: String, isClosed: Bool = true,
    _ left: @escaping LifeBuild, is right: @escaping LifeBuild
  ) {
    self.init(
      name, statement, sentence, draw: { LifeProgram.random(isClosed: isClosed, using: &$0) },
      judge: { program in
        let (left, right) = (LifeRun.facts(program, left), LifeRun.facts(program, right))
        guard left != right else { return nil }
        return Evidence(
          left: ("left", left.map(\.description)), right: ("right", right.map(\.description)))
      })
  }

  /// Makes a law about each step of one cache; `complaint` may look at all facts up to it.
  init(
    time name: String, _ statement: String, _ sentence: String, isClosed: Bool = true,
    of build: @escaping LifeBuild,
    _ complaint: @escaping @Sendable (ArraySlice<LifeFact>) -> String?
  ) {
    self.init(
      name, statement, sentence, draw: { LifeProgram.random(isClosed: isClosed, using: &$0) },
      judge: { program in
        let facts = LifeRun.facts(program, build)
        return Evidence(
          facts.indices.map { (facts[$0].description, complaint(facts[...$0])) })
      })
  }
}
