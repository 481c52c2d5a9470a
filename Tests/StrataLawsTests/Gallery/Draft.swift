import Foundation
import Strata
@testable import StrataLaws

/// The functions of a correct level that stores values in a dictionary. A test replaces one
/// function with a faulty function.
struct Draft<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let held: Box<[Key: Value]>
  var get: @Sendable (Key) throws -> Value
  var set: @Sendable (Key, Value) throws -> Void
  var remove: @Sendable (Key) throws -> Void
  var clear: @Sendable () throws -> Void
  var warn: @Sendable () -> Void = {}

  init(holding held: Box<[Key: Value]> = Box([:])) {
    self.held = held
    get = { try found(held.value[$0]) }
    set = { key, value in held.update { $0[key] = value } }
    remove = { key in held.update { $0[key] = nil } }
    clear = { held.value = [:] }
  }

  var cache: Cache<Key, Value> {
    Cache(get: get, set: set, remove: remove, clear: clear, memoryWarning: warn)
  }

  /// Returns a function that makes a faulty level. The closure `mistake` replaces some of the
  /// level's functions.
  static func with(
    _ mistake: @escaping @Sendable (inout Draft, Box<[Key: Value]>) -> Void
  ) -> @Sendable () -> Cache<Key, Value> {
    {
      var draft = Draft()
      mistake(&draft, draft.held)
      return draft.cache
    }
  }
}

/// Returns the value, or throws `CacheError.notFound` if the value is `nil`.
func found<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw CacheError.notFound }
  return value
}

extension Laws {
  /// Returns the laws for a level that stores each value under a changed key.
  static func named<Key: LawSample & Hashable, Name: Hashable & Sendable>(
    _ name: @escaping @Sendable (Key) -> Name
  ) -> Laws {
    .level { Draft<Name, Int>().cache.mapKeys(name) as Cache<Key, Int> }
  }

  /// Returns the laws for a faulty level of numbers. The closure `mistake` replaces some of the
  /// level's functions.
  static func wrong(
    keeps: LevelKeeping = .everything, isPersistent: Bool = false,
    _ mistake: @escaping @Sendable (inout Draft<Int, Int>, Box<[Int: Int]>) -> Void
  ) -> Laws {
    .level(keeps: keeps, isPersistent: isPersistent, make: Draft.with(mistake))
  }
}

extension Laws {
  /// The laws for a level whose writes aren't atomic. Each write copies all values, changes the
  /// copy, and stores the copy, without a lock around the three steps.
  static var unlockedUpdate: Laws {
    .wrong { draft, held in
      draft.set = { key, value in
        var copy = held.value
        copy[key] = value
        held.value = copy
      }
    }
  }
}

extension Laws {
  /// Returns the laws for a level, with a short time limit for each answer. On an idle machine, the
  /// limit is about 0.2 seconds.
  static func impatientLevel(make: @escaping @Sendable () -> Cache<Int, Int>) -> Laws {
    let contract = LevelContract(
      keeps: .everything, isPersistent: false, open: { _ in make() }, patience: Patience(20))
    return .level("impatient", contract)
  }
}

extension Laws {
  /// Returns the laws for a level with text keys that stores each value under a changed key.
  static func filed(_ name: @escaping @Sendable (String) -> String) -> Laws { .named(name) }
}

/// Sleeps for 50 microseconds, so another thread runs between two steps, even on a busy machine.
func gap() { usleep(50) }
