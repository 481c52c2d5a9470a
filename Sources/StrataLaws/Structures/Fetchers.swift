import StrataVerbs

extension Laws {
  /// Returns the laws of a fetcher, which loads values and stores none.
  ///
  /// A get returns the value that the origin has, or misses. Writes change nothing, but succeed,
  /// because a sum writes to all its members. When one get is cancelled, the others continue.
  ///
  ///     try await Laws.check(
  ///       .fetcher(values: { (number: Int) in number < 100 ? "\(number)" : nil }) {
  ///         Fetcher { number in
  ///           guard number < 100 else { throw CacheError.notFound }
  ///           return "\(number)"
  ///         }
  ///       })
  ///
  /// - Parameters:
  ///   - name: The name of the fetcher.
  ///   - values: A closure that returns the value that the origin has for a key, or `nil` for a
  ///     miss. At least one of the spellings that the key's type declares must have a value.
  ///   - make: A closure that returns the fetcher. It's called once per case, and again for each
  ///     attempt to shrink a violation.
  public static func fetcher<Key: LawSample & Hashable, Value: Equatable & Sendable>(
    _ name: String = "fetcher", values: @escaping @Sendable (Key) -> Value?,
    make: @escaping @Sendable () -> Fetcher<Key, Value>
  ) -> Laws {
    let contract = LevelContract<Key, Int>(
      keeps: .nothing, isPersistent: true, open: { _ in .dictionary() })
    let origin = FetchedOrigin(values, make, LevelProbe(contract))
    func law(
      _ law: String, _ statement: String, _ sentence: String, tries: Int = 1, most: Int = .max,
      _ steps: LevelSteps, _ run: @escaping @Sendable (LevelTrial) -> LawEvidence?
    ) -> Law {
      var law = Law(
        "fetching.\(law)", statement, sentence, tries: tries,
        draw: { steps.trial(origin.probe, &$0) }, judge: run)
      law.mostCases = most
      return law.about(name == "fetcher" ? "level" : name, contract.tally).waiting
    }
    return Laws(
      name,
      [
        law(
          "reading", "get(k) == v, or a miss",
          "A get returns the value that the origin has for its key, or a miss.", .fetches
        ) { origin.judged($0) { $0.waiting($1.steps) } },
        law(
          "writes", "w; get(k) == get(k)",
          "Writes to a fetcher succeed, and change no value.", .fetchesAmongWrites
        ) { origin.judged($0) { $0.waiting($1.steps) } },
        law(
          "cancellation", "cancel(get); get(k) == v",
          "A cancelled get settles, and has no effect on other gets.", tries: 3,
          .cancelledFetches
        ) { origin.judged($0) { $0.overlapping($1.steps) } },
        law(
          "threads", "three clients: get(k) == v",
          "Clients on separate threads receive the values of their own keys.", tries: 20,
          .threadedFetches
        ) { origin.judged($0) { $0.onThreads($1.steps, pace: $1.pace) } },
        law(
          "many", "a.outcomes(for: ks) == ks.map(a.get)",
          "A get of many keys has the same results as separate gets.", .fetches
        ) { origin.judged($0, getsMany: true) { $0.waiting($1.steps) } },
        law(
          "effect", "get(k) == v, for some k",
          "The origin has a value for at least one key. Otherwise, a check proves nothing.",
          most: 1,
          .fetches
        ) { _ in origin.isEmpty ? LawEvidence([("no key has a value", "some key has one")]) : nil },
      ])
  }
}

extension LevelSteps {
  fileprivate static let fetches = LevelSteps(
    weights: [18, 0, 0, 0, 2, 0], keys: 8, count: 1...16)
  fileprivate static let fetchesAmongWrites = LevelSteps(
    weights: [9, 5, 3, 2, 1, 0], count: 1...12)
  fileprivate static let cancelledFetches = LevelSteps(weights: [13, 0, 0, 0, 0, 7], keys: 3)
  fileprivate static let threadedFetches = LevelSteps(
    weights: [20, 0, 0, 0, 0, 0], keys: 3, count: 36...36, clients: 3)
}

/// An origin whose values a law knows, and the fetcher that should load them.
private struct FetchedOrigin: Sendable {
  let probe: LevelProbe
  /// Returns the fetcher with numbers as keys and values. The value of a key has the same number as
  /// the key.
  let open: @Sendable (_ getsMany: Bool) -> Cache<Int, Int>
  let holds: @Sendable (_ key: Int) -> Bool
  let isEmpty: Bool

  init<Key: LawSample & Hashable, Value: Equatable & Sendable>(
    _ values: @escaping @Sendable (Key) -> Value?,
    _ make: @escaping @Sendable () -> Fetcher<Key, Value>, _ probe: LevelProbe
  ) {
    let keys = Key.lawKeys(isPlain: false)
    let key: @Sendable (Int) -> Key = { keys[$0.keyNumber][$0 % Int.spellingsPerKey] }
    self.probe = probe
    holds = { values(key($0)) != nil }
    isEmpty = !keys.contains { values($0[0]) != nil }
    open = { getsMany in
      let fetcher = make()
      return Cache(
        get: { code in
          let (own, next) = (key(code), keys[(code.keyNumber + 1) % keys.count][0])
          let value =
            getsMany
            ? fetcher.outcomes(of: [next, own]).flatMap { Promise(outcome: $0[1]) }
            : fetcher.get(own)
          return value.map { value in
            guard let right = values(own), right != value else {
              return values(own) == nil ? probe.strangers.number(LawText.of(value)) : code.keyNumber
            }
            let difference = LawText.difference(value, right) ?? "both look alike"
            return probe.strangers.number(
              "\(LawText.of(value)). The origin has \(LawText.of(right)): \(difference)")
          }
        },
        // The fetcher stores nothing, so any value of its type serves.
        set: { code, _ in
          guard let value = values(key(code)) ?? keys.lazy.compactMap({ values($0[0]) }).first
          else { return Promise() }
          return fetcher.set(key(code), value)
        },
        remove: { fetcher.remove(key($0)) }, clear: { fetcher.clear() },
        memoryWarning: { fetcher.memoryWarning() })
    }
  }

  /// Runs a trial. Returns evidence if the result of an operation is wrong.
  func judged(
    _ trial: LevelTrial, getsMany: Bool = false,
    _ run: (LevelRun, LevelTrial) -> LawObservation
  ) -> LawEvidence? {
    let seen = run(LevelRun([open(getsMany)], like: probe), trial)
    var violations = Violations()
    for (index, operation) in seen.operations.enumerated() {
      if operation.settlements != 1 {
        violations.operation(index, "\(operation.step). settled once")
      }
      switch (operation.action, operation.answer) {
      case (_, .cancelled) where operation.wasCancelled: break
      case (.get(let key), let answer):
        let (isThere, number) = (holds(key), key.keyNumber)
        let isMiss = if case .miss = answer { true } else { false }
        guard isThere ? answer != .value(number) : !isMiss else { break }
        violations.operation(
          index, "\(operation.step). get \(key): \(isThere ? "\(number)" : "not found")")
      case (.set, .done), (.remove, .done), (.clear, .done), (.warn, _): break
      default: violations.operation(index, "\(operation.step). done")
      }
    }
    return probe.explained(violations.evidence(seen))
  }
}
