import StrataVerbs

/// The tags that the laws check: a verb that gives values their tags, and a function that marks
/// tags.
public struct TagSystem: Sendable {
  typealias Tagged =
    @Sendable (Cache<Int, Stamped<Int>>, @escaping @Sendable (Int, Int) -> [String])
    -> Cache<Int, Stamped<Int>>
  typealias Mark = @Sendable (Set<String>, Tags.Action) -> Promise<Void>

  let tagged: Tagged
  let mark: Mark

  /// Creates tags.
  ///
  /// - Parameters:
  ///   - mark: A function that removes or expires the values of tags.
  ///   - tagged: A verb that gives the values of a cache their tags.
  public init(
    mark: @escaping @Sendable (Set<String>, Tags.Action) -> Promise<Void>,
    _ tagged:
      @escaping @Sendable (Cache<Int, Stamped<Int>>, @escaping @Sendable (Int, Int) -> [String])
      -> Cache<Int, Stamped<Int>>
  ) {
    (self.mark, self.tagged) = (mark, tagged)
  }

  /// Strata's tags.
  ///
  /// - Parameter tags: The tags that all caches share.
  public init(_ tags: Tags) {
    self.init(mark: tags.mark) { $0.tagged(by: tags, $1) }
  }
}

extension Laws {
  /// The laws of `tagged(by:_:)`, with marks in memory.
  public static var tags: Laws { tags { TagSystem(Tags(clock: $0)) } }

  /// Returns laws that check your own tags.
  ///
  /// - Parameter system: A function that makes tags with the given clock. It's called for each
  ///   cache or sum.
  public static func tags(_ system: @escaping @Sendable (TimeSource) -> TagSystem) -> Laws {
    typealias Build = @Sendable (TagSystem, Cache<Int, Stamped<Int>>) -> Cache<Int, Stamped<Int>>
    typealias Rewrite = @Sendable (TagProgram) -> TagProgram
    let plain: Build = { $0.tagged($1, TagProgram.tags) }

    @Sendable func run(_ program: TagProgram, _ build: Build) -> [String] {
      let (clock, time) = TimeSource.manual()
      let system = system(clock)
      let level = Cache<Int, Stamped<Int>>.dictionary().clocked(by: clock)
      return program.run(on: build(system, level), clock, time, mark: system.mark)
    }
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      _ left: @escaping @Sendable (TagProgram) -> [String],
      is right: @escaping @Sendable (TagProgram) -> [String]
    ) -> Law {
      Law("tags.\(name)", statement, sentence, draw: { TagProgram(&$0) }) { program in
        let (left, right) = (left(program), right(program))
        return left == right ? nil : LawEvidence(left: ("left", left), right: ("right", right))
      }.waiting
    }
    let shifted = Codec<Int, Int>(decode: { $0 - 100 }, encode: { $0 + 100 })
    return Laws(
      "tags",
      [
        law(
          "visible", "set(k, v) after remove(S) is visible, and before it isn't",
          "A removal of tags removes the values that have one of them, and only those."
        ) {
          run($0, plain)
        } is: {
          $0.model
        },
        law("none", "a.tagged { [] } == a", "Values without tags are never removed.") {
          run($0) { system, level in system.tagged(level) { _, _ in [] } }
        } is: {
          run($0) { $1 }
        },
        law("empty", "remove([]) == id", "Removing no tags has no effect.") {
          let program = $0.replacing { [.mark([], .remove), $0, .mark([], .expire)] }
          return run(program, plain)
        } is: {
          run($0, plain)
        },
        law(
          "union", "remove(S); remove(T) == remove(S ∪ T)",
          "Removing tags one after the other is the same as removing them together."
        ) {
          let program = $0.replacing { step in
            guard case .mark(let tags, let action) = step else { return [step] }
            return tags.sorted().map { .mark([$0], action) }
          }
          return run(program, plain)
        } is: {
          run($0, plain)
        },
        law(
          "expiry", "expire(S); remove(S) == remove(S) == remove(S); expire(S)",
          "A hard removal absorbs soft ones."
        ) {
          let program = $0.replacing { step in
            guard case .mark(let tags, .remove) = step else { return [step] }
            return [.mark(tags, .expire), step, .mark(tags, .expire)]
          }
          return run(program, plain)
        } is: {
          run($0, plain)
        },
        law(
          "everything", "remove([tag of all]) == clear",
          "Removing a tag that all values have is the same as removing all values."
        ) {
          let program = $0.replacing { $0 == .clear ? [.mark(["all"], .remove)] : [$0] }
          return run(program) { system, level in
            system.tagged(level) { ["all"] + TagProgram.tags($0, $1) }
          }
        } is: {
          run($0, plain)
        },
        law(
          "sums", "(a + b).tagged(f) == a.tagged(f) + b.tagged(f)",
          "A removal concerns each level of a sum."
        ) {
          run($0) { system, level in
            system.tagged(.dictionary() + level, TagProgram.tags)
          }
        } is: {
          run($0) { system, level in
            system.tagged(.dictionary(), TagProgram.tags) + system.tagged(level, TagProgram.tags)
          }
        },
        law(
          "keys", "(g <^> a).tagged(f) == g <^> a.tagged(f after the inverse of g)",
          "A key map doesn't change which values a removal removes."
        ) {
          run($0) { system, level in system.tagged({ $0 + 10 } <^> level, TagProgram.tags) }
        } is: {
          run($0) { system, level in
            { $0 + 10 } <^> system.tagged(level) { TagProgram.tags($0 - 10, $1) }
          }
        },
        law(
          "values", "(a <*> s).tagged(f) == a.tagged(f after s) <*> s",
          "A codec doesn't change which values a removal removes."
        ) {
          run($0) { system, level in
            system.tagged(level <*> .stamped(shifted), TagProgram.tags)
          }
        } is: {
          run($0) { system, level in
            system.tagged(level) { TagProgram.tags($0, $1 - 100) } <*> .stamped(shifted)
          }
        },
        Law(
          "tags.loads", "remove(S) during a load of v => v isn't stored if it has a tag of S",
          "A value whose load began before a removal of its tags isn't stored.",
          draw: { TaggedLoads(&$0) }, judge: { judge($0, system) }
        ).waiting,
      ])
  }

  private static func judge(
    _ trial: TaggedLoads, _ system: @Sendable (TimeSource) -> TagSystem
  ) -> LawEvidence? {
    let (clock, _) = TimeSource.manual()
    let (system, load) = (system(clock), Lock<Promise<Stamped<Int>>.Continuation?>(nil))
    let level = Cache<Int, Stamped<Int>>.dictionary().clocked(by: clock)
    let tagged = system.tagged(level, TagProgram.tags)
    let origin = Fetcher<Int, Stamped<Int>> { _ in
      Promise { continuation in load.withLock { $0 = continuation } }
    }
    let (caches, others) = (Handles(tagged + origin), Handles(tagged))
    return LawEvidence(
      trial.marks.enumerated().map { index, marks in
        let cache = caches[index]
        _ = settled(cache.clear())
        let answer = cache.get(0)
        _ = settled(system.mark(marks, .remove))
        load.withLock { $0 }?.succeed(Stamped(index, storedAt: clock.now()))
        _ = settled(answer)
        let isStored = settled(others[index + 1].get(0))?.value != nil
        let isMarked = !marks.isDisjoint(with: TagProgram.tags(0, index))
        let fact = isStored ? "stored" : "not stored"
        // Marks that several processes share may keep out more values than they must.
        if marks.isEmpty { return (fact, isStored ? nil : "stored") }
        return (fact, isMarked && isStored ? "not stored" : nil)
      })
  }
}
