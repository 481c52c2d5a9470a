extension Law {
  /// Creates a law that two caches behave identically in every program.
  ///
  ///     Law("mine.identity", "a.traced() == a", "My verb has no effect.") { $0[0].traced() } is: { $0[0] }
  ///
  /// - Parameters:
  ///   - name: The name of the structure and the name of the law, such as `pool.oneLoad`.
  ///   - statement: The law in symbols.
  ///   - sentence: The law in words.
  ///   - domain: The domain of the random programs.
  ///   - equality: The required degree of agreement. The default is `full`.
  ///   - left: A closure that builds the left cache. Called once per program.
  ///   - right: A closure that builds the right cache from levels with the same scripts. Called
  ///     once per program.
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

  /// Creates a law about the observation of one cache.
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

  /// Creates a law about the observation of one cache. Its clients run on separate threads.
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
    mostJudgments = 12_000  // A judgment of scripted levels takes less than a millisecond.
  }
}
