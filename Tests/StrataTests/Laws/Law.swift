import Foundation

@testable import Strata

/// Two ways to make one cache of the same levels, which no program may tell apart.
///
///     Law(name: "empty above", left: { .empty + $0[0] }, right: { $0[0] }).counterexample()  // nil
struct Law: Sendable {
  typealias Build = @Sendable ([Cache<Int, Int>]) -> Cache<Int, Int>

  /// What programs and levels are drawn from.
  struct Domain: Sendable {
    var levels = 3
    var keys = 0..<3
    /// The keys that levels are warmed with: more than `keys` where keys are mapped.
    var stored = 0..<3
    var values = 0..<4
    var steps = 14
    /// Whether programs cancel: what has to wait longer can be cancelled longer.
    var cancels = true
  }

  let name: String
  var domain = Domain()
  /// Whether the law is about one operation at a time.
  var isSequential = false
  let left: Build
  let right: Build

  /// How many programs a law is tried on: 400, unless `STRATA_CASES` says otherwise.
  static var cases: Int {
    ProcessInfo.processInfo.environment["STRATA_CASES"].flatMap(Int.init) ?? 400
  }

  /// Looks for a program that tells the two sides apart, and shrinks what it finds.
  func counterexample(seed: UInt64 = Seed.value, cases: Int = Law.cases) -> Counterexample? {
    for number in 0..<cases {
      var random = SeededGenerator(seed: seed &+ UInt64(number))
      let trial = Trial.random(domain, using: &random)
      if !holds(for: trial) {
        return Counterexample(law: self, seed: seed &+ UInt64(number), trial: shrunk(trial))
      }
    }
    return nil
  }

  fileprivate func observations(of trial: Trial) -> (left: Observation, right: Observation) {
    (
      Observation(of: trial, isSequential: isSequential, left),
      Observation(of: trial, isSequential: isSequential, right)
    )
  }

  private func holds(for trial: Trial) -> Bool {
    let (left, right) = observations(of: trial)
    return left == right
  }

  private func shrunk(_ trial: Trial) -> Trial {
    var smallest = trial
    while let simpler = smallest.simpler.first(where: { !holds(for: $0) }) { smallest = simpler }
    return smallest
  }
}

/// A program that tells the two sides of a law apart.
struct Counterexample: Sendable, CustomStringConvertible {
  let law: Law
  let seed: UInt64
  let trial: Trial

  var description: String {
    let (left, right) = law.observations(of: trial)
    var lines = ["\(law.name): the sides differ (STRATA_SEED=\(seed) STRATA_CASES=1)"]
    lines += trial.scripts.enumerated().map { "  level \($0): \($1)" }
    lines += trial.steps.map { "  \($0)" }
    for (side, observation) in [("left", left), ("right", right)] {
      lines.append("  \(side) answers \(observation.answers), at rest \(observation.rest)")
    }
    return lines.joined(separator: "\n")
  }
}
