import Strata

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
  ///   - left: A closure that builds the cache on the left side of the law. Called once per
  ///     program.
  ///   - right: A closure that builds the cache on the right side of the law. Both closures receive
  ///     levels with the same scripted behavior. Called once per program.
  public init(
    _ name: String, _ statement: String, _ sentence: String, in domain: Domain = Domain(),
    equality: Observation.Equality = .full, _ left: @escaping Build, is right: @escaping Build
  ) {
    self.init(
      name, statement, sentence, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let left = Run(program, left).virtually().reduced(to: equality)
        let right = Run(program, right).virtually().reduced(to: equality)
        guard left != right else { return nil }
        return Evidence(left: ("left", left.lines), right: ("right", right.lines))
      })
  }

  /// Creates a law that requires a verb to have no effect, even if the verb runs async code.
  ///
  /// If the verb runs async code, each step waits until tasks have run. Then the times and the calls
  /// to the levels may differ.
  init(
    transparent name: String, _ statement: String, _ sentence: String, _ left: @escaping Build,
    is right: @escaping Build
  ) {
    // A task could answer before the first look, but hardly three times.
    let runsTasks = (0..<3).contains { _ in isAsync(left) }
    self.init(
      name, statement, sentence, draw: { Program.random(Domain(), using: &$0) },
      judge: { program in
        let patience = runsTasks ? Patience() : nil
        let equality = runsTasks ? Observation.Equality.answers : .full
        let one = Run(program, left).virtually(with: patience).reduced(to: equality)
        let other = Run(program, right).virtually(with: patience).reduced(to: equality)
        guard one != other else { return nil }
        return Evidence(left: ("left", one.lines), right: ("right", other.lines))
      })
    waits = runsTasks
  }

  /// Creates a law about the observed behavior of one cache.
  init(
    _ name: String, _ statement: String, _ sentence: String, in domain: Domain = Domain(),
    of build: @escaping Build,
    _ judge: @escaping @Sendable (Program, Observation) -> Violations
  ) {
    self.init(
      name, statement, sentence, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let observation = Run(program, build).virtually()
        return judge(program, observation).evidence(observation)
      })
  }

  /// Creates a law about the observed behavior of one cache. The clients of each program run on
  /// separate threads.
  init(
    onThreads name: String, _ statement: String, _ sentence: String, in domain: Domain = Domain(),
    of build: @escaping Build,
    _ judge: @escaping @Sendable (Program, Observation) -> Violations
  ) {
    self.init(
      name, statement, sentence, tries: 30, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let observation = Run(program, build).onThreads()
        return judge(program, observation).evidence(observation)
      })
    // A check takes less than a millisecond, so the law may run many checks to find a smaller
    // violation.
    mostJudgments = 12_000
  }
}

/// Whether an operation of a cache above plain levels hasn't settled when its call returns.
private func isAsync(_ build: Build) -> Bool {
  let levels: [Cache<Int, Int>] = [.dictionary(), .dictionary(), .dictionary()]
  let cache = build(LawContext(levels: levels, time: TimeSource.manual().time))
  return cache.set(0, 1).outcome == nil || cache.get(0).outcome == nil
    || cache.remove(0).outcome == nil || cache.clear().outcome == nil
}
