import Foundation
import StrataVerbs

extension Law {
  /// Creates a law that requires two caches to behave identically in every program.
  ///
  ///     Law("mine.identity", "a.traced() == a", "My verb has no effect.") { $0[0].traced() } is: { $0[0] }
  ///
  /// - Parameters:
  ///   - name: The name of the law, prefixed with the name of its structure, such as
  ///     `pool.oneLoad`.
  ///   - statement: The law in symbols.
  ///   - sentence: The law in words.
  ///   - domain: The bounds of the random programs.
  ///   - equality: The parts of the behavior that must be equal. The default is `full`.
  ///   - left: A closure that builds the cache on the left side of the law. It's called once per
  ///     program.
  ///   - right: A closure that builds the cache on the right side of the law, also once per
  ///     program. Both closures receive levels with the same scripted behavior.
  public init(
    _ name: String, _ statement: String, _ sentence: String, in domain: LawDomain = LawDomain(),
    equality: LawObservation.Equality = .full, _ left: @escaping LawBuild,
    is right: @escaping LawBuild
  ) {
    let leftBuild = left
    self.init(
      name, statement, sentence, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let left = Run(program, left).virtually().reduced(to: equality)
        let right = Run(program, right).virtually().reduced(to: equality)
        guard left != right else { return nil }
        return LawEvidence(left: ("left", left.lines), right: ("right", right.lines))
          .mentioningTasks(of: leftBuild)
      })
  }

  /// Creates a law that requires a verb not to change any result, even if the verb runs async code.
  ///
  /// If the verb runs async code, its tasks need time to reach the state that the cache without the
  /// verb reaches immediately. So each step waits until they have. Then times and calls to the
  /// levels may differ, and operations don't overlap.
  init(
    transparent name: String, _ statement: String, _ sentence: String, _ left: @escaping LawBuild,
    is right: @escaping LawBuild
  ) {
    let runsTasks = isAsync(left)
    // The system decides when a task calls a level, so the results of overlapping operations vary.
    let domain = LawDomain().with {
      $0.isSequential = runsTasks
      $0.cancels = !runsTasks
    }
    self.init(
      name, statement, sentence, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let patience = runsTasks ? Patience(100) : nil
        let equality = runsTasks ? LawObservation.Equality.answers : .full
        let plain = Run(program, right)
        let other = plain.virtually(with: patience).reduced(to: equality)
        let one = Run(program, left).virtually(with: patience, after: plain).reduced(to: equality)
        guard one != other else { return nil }
        return LawEvidence(left: ("left", one.lines), right: ("right", other.lines))
      })
    waits = runsTasks
  }

  /// Creates a law about the observed behavior of one cache.
  init(
    _ name: String, _ statement: String, _ sentence: String, in domain: LawDomain = LawDomain(),
    of build: @escaping LawBuild,
    _ judge: @escaping @Sendable (Program, LawObservation) -> Violations
  ) {
    self.init(
      name, statement, sentence, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let observation = Run(program, build).virtually()
        return judge(program, observation).evidence(observation)?.mentioningTasks(of: build)
      })
  }

  /// Creates a law about the observed behavior of one cache, whose clients run on separate threads.
  init(
    onThreads name: String, _ statement: String, _ sentence: String,
    in domain: LawDomain = LawDomain(),
    of build: @escaping LawBuild,
    _ judge: @escaping @Sendable (Program, LawObservation) -> Violations
  ) {
    self.init(
      name, statement, sentence, tries: 30, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let observation = Run(program, build).onThreads()
        return judge(program, observation).evidence(observation)
      })
    // A check takes less than a millisecond, so the search for a smaller violation may run many of
    // them.
    mostJudgments = 12_000
  }
}
