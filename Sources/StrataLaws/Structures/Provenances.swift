import StrataVerbs

extension Laws {
  /// The laws of `valueWithProvenance(for:)`.
  public static var provenance: Laws { provenance { $0 + ($1 + $2).pooled() } }

  /// Returns laws that check whether the provenances of gets through your own pipeline are correct.
  ///
  /// These laws find a verb that shares loads without a pool, and a copy of a pipeline that doesn't
  /// report its levels.
  ///
  /// - Parameter pipeline: A closure that returns the pipeline. It must read its levels in the
  ///   order of the closure's arguments. The closure is called for each case.
  public static func provenance(_ pipeline: @escaping Pipeline) -> Laws {
    let named: Pipeline = { memory, store, origin in
      pipeline(memory.named("memory"), store.named("store"), origin.named("origin"))
    }
    return Laws(
      "provenance",
      [
        law(
          "provenance.value", "getWithProvenance(k).value == get(k)",
          "A get with provenance returns the same value as one without it.", named, sameValues),
        law(
          "provenance.level", "getWithProvenance(k).provenance.level == the level that has k",
          "The level of a provenance is the uppermost one that has the value.", named, rightLevels),
        law(
          "provenance.loads", "n loads; n answers are loaded and not joined",
          "Even if gets overlap, each load belongs to one answer, and each answer has a level.",
          named,
          rightLoads),
      ])
  }

  private typealias Judge =
    @Sendable (WorkTrial, _ make: @Sendable (Worksite) -> Cache<Int, Int>) -> LawEvidence?

  private static func law(
    _ name: String, _ statement: String, _ sentence: String, _ pipeline: @escaping Pipeline,
    _ judge: @escaping Judge
  ) -> Law {
    Law(name, statement, sentence, draw: { WorkTrial(&$0) }) { trial in
      judge(trial) { site in pipeline(site.memory, site.store, site.origin) }
    }
  }

  private static let sameValues: Judge = { trial, make in
    func outcomes(_ get: @escaping (Cache<Int, Int>, Int) -> Promise<Int>) -> [String] {
      let site = Worksite()
      let cache = make(site)
      var answers: [Promise<Int>] = []
      trial.run(cache, site) { key in
        answers.append(get(cache, key))
        return answers[answers.count - 1]
      }
      site.advance(100)
      return answers.map { $0.outcome.map { "\($0)" } ?? "nothing" }
    }
    let plain = outcomes { $0.get($1) }
    let traced = outcomes { cache, key in cache.getWithProvenance(key).map(\.value) }
    return plain == traced
      ? nil : LawEvidence(left: ("with provenance", traced), right: ("without", plain))
  }

  private static let rightLevels: Judge = { trial, make in
    let site = Worksite()
    let cache = make(site)
    trial.run(cache, site)
    site.advance(100)
    var (seen, lawful): ([String], [String]) = ([], [])
    for key in 0..<3 {
      let isAbove = site.memory.get(key).outcome?.value != nil
      let isStored = site.store.get(key).outcome?.value != nil
      lawful.append(isAbove ? "memory" : isStored ? "store" : "origin")
      let answer = cache.getWithProvenance(key)
      site.advance(100)
      seen.append(answer.outcome?.value?.provenance.level ?? "nothing")
    }
    return seen == lawful ? nil : LawEvidence(left: ("seen", seen), right: ("lawful", lawful))
  }

  private static let rightLoads: Judge = { trial, make in
    let site = Worksite()
    let cache = make(site)
    var answers: [Promise<(value: Int, provenance: Provenance)>] = []
    trial.run(cache, site) { key in
      let answer = cache.getWithProvenance(key)
      answers.append(answer)
      return answer.map(\.value)
    }
    site.advance(100)
    let loaded = answers.count {
      $0.outcome?.value.map { $0.provenance.isLoaded && !$0.provenance.isJoined } ?? false
    }
    let unknown = answers.count { $0.outcome?.value.map { $0.provenance.level == nil } ?? false }
    let isLawful = trial.cancels ? loaded <= site.loads : loaded == site.loads
    return isLawful && unknown == 0
      ? nil
      : LawEvidence(
        left: ("answers", ["\(loaded) loaded", "\(unknown) of unknown levels"]),
        right: ("loads", ["\(site.loads)"]))
  }
}
