import Strata

extension Laws {
  /// A way to make one cache of two lanes.
  public typealias Switching =
    @Sendable (
      Cache<Int, Int>, Cache<Int, Int>, @escaping @Sendable (Int) throws -> Lane
    ) -> Cache<Int, Int>

  /// Each key belongs to one lane.
  public static var lanes: Laws { lanes { .switching($0, $1, by: $2) } }

  /// The laws of lanes, of a way of your own.
  public static func lanes(_ verb: @escaping Switching) -> Laws {
    Laws(
      "lanes",
      [
        Law(
          "lanes.first", "switching(a, b) { .first }: a for gets, sets and removes",
          "What is all in the first lane is the first cache; a clear and a warning go to both."
        ) {
          verb($0[0], $0[1], { _ in .first })
        } is: {
          plainly($0[0], $0[1])
        },
        Law(
          "lanes.mirror", "switching(a, b, f) == switching(b, a, not f)",
          "It does not matter which lane is called the first, one operation at a time.",
          in: Domain().with {
            $0.isSequential = true
            $0.isTroubled = false
          }, equality: .answers
        ) {
          verb($0[0], $0[1], KeyLane.parity)
        } is: {
          verb($0[1], $0[0], { try KeyLane.parity($0) == .first ? .second : .first })
        },
        Law(
          "lanes.same", "switching(a, a, f) == a",
          "Two lanes of one cache are that cache, one operation at a time.",
          in: Domain().with { $0.isSequential = true }, equality: .answers
        ) {
          verb($0[0], $0[0], KeyLane.parity)
        } is: {
          $0[0]
        },
        Law(
          "lanes.apart", "switching(a, b, f): a sees its keys alone, b its own",
          "A get, set and remove reach the lane of their key and no other."
        ) {
          verb($0[0], $0[1], KeyLane.parity)
        } _: {
          complaintsOfStrays($0, $1)
        },
        Law(
          "lanes.failure", "switching(a, b) { throw e }: e, and neither is asked",
          "A key without a lane fails, and reaches neither."
        ) {
          verb($0[0], $0[1], KeyLane.fragile)
        } is: {
          KeyLane.partial <^> plainly($0[0], $0[1])
        },
      ])
  }
}

/// The first of two caches, with clears and warnings for both.
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

/// Functions to lanes that the laws are tried on.
private enum KeyLane {
  @Sendable static func parity(_ key: Int) throws -> Lane {
    key.isMultiple(of: 2) ? .first : .second
  }

  @Sendable static func fragile(_ key: Int) throws -> Lane {
    _ = try partial(key)
    return .first
  }

  @Sendable static func partial(_ key: Int) throws -> Int {
    guard key != 1 else { throw ScriptError(level: -3, key: key, isMiss: false) }
    return key
  }
}

/// An operation of a key that reached the wrong lane, and one of all keys that missed a lane.
@Sendable private func complaintsOfStrays(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  for level in 0...1 {
    let asked = seen.histories[level].filter { $0.kind == .asked }.map(\.call)
    for call in asked {
      if let key = call.key, key.isMultiple(of: 2) != (level == 0) {
        complaints.level(level, "no \(call)")
      }
    }
    for action in [Step.Action.clear, .warn] {
      let count = program.steps.filter { $0.action == action }.count
      if asked.filter({ $0 == action }).count != count {
        complaints.level(level, "\(action), \(count) times")
      }
    }
  }
  return complaints
}
