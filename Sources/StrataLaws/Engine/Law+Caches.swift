extension Law {
  /// Makes a law of two ways to make one cache, which no program may tell apart.
  ///
  ///     Law("mine.identity", "a.traced() == a", "My verb changes nothing.") { $0[0].traced() } is: { $0[0] }
  ///
  /// - Parameters:
  ///   - name: The structure and the law's own name.
  ///   - statement: What holds, in symbols.
  ///   - sentence: What holds, in words.
  ///   - domain: What programs are drawn from.
  ///   - equality: How exactly the two have to agree.
  ///   - left: Makes the left side.
  ///   - right: Makes the right side, of levels of the same scripts.
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

  /// Makes a law about what is observed of one cache.
  init(
    _ name: String, _ statement: String, _ sentence: String, in domain: Domain = Domain(),
    of build: @escaping Build,
    _ judge: @escaping @Sendable (Program, Observation) -> Complaints
  ) {
    self.init(
      name, statement, sentence, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let observation = Run(program, build).virtually()
        return judge(program, observation).evidence(observation)
      })
  }

  /// Makes a law about what is observed of one cache when each client has a thread of its own.
  init(
    onThreads name: String, _ statement: String, _ sentence: String, in domain: Domain = Domain(),
    of build: @escaping Build,
    _ judge: @escaping @Sendable (Program, Observation) -> Complaints
  ) {
    self.init(
      name, statement, sentence, tries: 30, draw: { Program.random(domain, using: &$0) },
      judge: { program in
        let observation = Run(program, build).onThreads()
        return judge(program, observation).evidence(observation)
      })
  }
}
