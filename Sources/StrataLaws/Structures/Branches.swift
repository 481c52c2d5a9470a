import StrataVerbs

extension Laws {
  /// A function that combines two caches. For each key, a closure chooses one of them.
  public typealias Switching =
    @Sendable (
      Cache<Int, Int>, Cache<Int, Int>, @escaping @Sendable (Int) throws -> CacheBranch
    ) -> Cache<Int, Int>

  /// The laws of `switching`: each key belongs to one branch.
  public static var branches: Laws { branches { .switching($0, $1, by: $2) } }

  /// Returns laws that check your own implementation of `switching`.
  public static func branches(_ verb: @escaping Switching) -> Laws {
    Laws(
      "branches",
      [
        Law(
          "branches.first", "switching(a, b) { .first }: a for gets, sets and removes",
          "Gets, sets, and removes reach only the chosen cache. Clears and warnings reach both caches."
        ) {
          verb($0[0], $0[1], { _ in .first })
        } is: {
          plainly($0[0], $0[1])
        },
        Law(
          "branches.mirror", "switching(a, b, f) == switching(b, a, not f)",
          "Swapping both the caches and the branches has no effect if operations don't overlap.",
          in: LawDomain().with {
            $0.isSequential = true
            $0.injectsFaults = false
          }, equality: .answers
        ) {
          verb($0[0], $0[1], KeyLane.parity)
        } is: {
          verb($0[1], $0[0], { try KeyLane.parity($0) == .first ? .second : .first })
        },
        Law(
          "branches.same", "switching(a, a, f) == a",
          "Switching between a cache and itself has no effect if operations don't overlap.",
          in: LawDomain().with { $0.isSequential = true }, equality: .answers
        ) {
          verb($0[0], $0[0], KeyLane.parity)
        } is: {
          $0[0]
        },
        Law(
          "branches.apart", "switching(a, b, f): a sees only its keys, and b only its keys",
          "A get, set, or remove reaches only the branch of its key."
        ) {
          verb($0[0], $0[1], KeyLane.parity)
        } _: {
          violationsOfStrays($0, $1)
        },
        Law(
          "branches.failure", "switching(a, b) { throw e }: e, and neither is called",
          "If the function throws for a key, operations on that key fail and reach neither cache."
        ) {
          verb($0[0], $0[1], KeyLane.fragile)
        } is: {
          KeyLane.partial <^> plainly($0[0], $0[1])
        },
      ])
  }
}

/// Returns a cache that passes `clear` calls and memory warnings to both caches, and all other
/// operations only to the first.
@Sendable private func plainly(
  _ first: Cache<Int, Int>, _ second: Cache<Int, Int>
) -> Cache<Int, Int> {
  Cache(
    get: first.get, set: first.set, remove: first.remove,
    clear: { apart(first.clear(), second.clear()) },
    memoryWarning: {
      first.memoryWarning()
      second.memoryWarning()
    })
}

/// The functions that the laws use to choose the branch for a key.
private enum KeyLane {
  @Sendable static func parity(_ key: Int) throws -> CacheBranch {
    key.isMultiple(of: 2) ? .first : .second
  }

  @Sendable static func fragile(_ key: Int) throws -> CacheBranch {
    _ = try partial(key)
    return .first
  }

  @Sendable static func partial(_ key: Int) throws -> Int {
    guard key != 1 else { throw ScriptError(level: -3, key: key, isMiss: false) }
    return key
  }
}

/// Finds operations that reached the wrong branch, and also `clear` calls and memory warnings that
/// didn't reach both branches.
@Sendable private func violationsOfStrays(_ program: Program, _ seen: LawObservation) -> Violations
{
  var violations = Violations()
  for level in 0...1 {
    let asked = seen.histories[level].filter { $0.kind == .asked }.map(\.call)
    for call in asked {
      if let key = call.key, key.isMultiple(of: 2) != (level == 0) {
        violations.level(level, "no \(call)")
      }
    }
    for action in [Step.Action.clear, .warn] {
      let count = program.steps.filter { $0.action == action }.count
      if asked.filter({ $0 == action }).count != count {
        violations.level(level, "\(action), \(count) times")
      }
    }
  }
  return violations
}
