/// A structure of laws: all that must hold for a thing to be what it is called.
///
/// In a test function that throws, one line is all it takes:
///
///     try Laws.check(.monoid)
///     try Laws.check(.level { MyLevel().cache })
///
/// Everything is drawn from `STRATA_SEED`, which a violation prints, and every law is tried on
/// `STRATA_CASES` cases, 400 unless told otherwise.
public struct Laws: Sendable {
  /// What the laws are about.
  public let name: String
  /// The laws, in the order in which they are checked.
  public let laws: [Law]

  /// Makes a structure of laws.
  public init(_ name: String, _ laws: [Law]) {
    self.name = name
    self.laws = laws
  }

  /// Tries every law, and throws the first violation.
  ///
  /// - Parameters:
  ///   - laws: What must hold.
  ///   - seed: Of the first case of each law.
  ///   - cases: How many cases each law is tried on.
  /// - Throws: A ``LawViolation`` with the smallest program that could be found.
  public static func check(
    _ laws: Laws, seed: UInt64 = Seed.value, cases: Int = Seed.cases
  ) throws {
    if let violation = laws.violation(seed: seed, cases: cases) { throw violation }
  }

  /// Looks for a violation of any of the laws.
  public func violation(seed: UInt64 = Seed.value, cases: Int = Seed.cases) -> LawViolation? {
    for law in laws {
      if let violation = law.violation(seed: seed, cases: cases) { return violation }
    }
    return nil
  }
}
