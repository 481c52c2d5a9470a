import Strata
@testable import StrataLaws

/// The functions of a correct level over a dictionary. A test replaces one of them with a faulty
/// one.
struct Draft<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  let held = Box<[Key: Value]>([:])
  var get: @Sendable (Key) throws -> Value
  var set: @Sendable (Key, Value) throws -> Void
  var remove: @Sendable (Key) throws -> Void
  var clear: @Sendable () throws -> Void
  var warn: @Sendable () -> Void = {}

  init() {
    let held = held
    get = { try found(held.value[$0]) }
    set = { key, value in held.update { $0[key] = value } }
    remove = { key in held.update { $0[key] = nil } }
    clear = { held.value = [:] }
  }

  var cache: Cache<Key, Value> {
    Cache(get: get, set: set, remove: remove, clear: clear, memoryWarning: warn)
  }

  /// Returns a function that makes a level with a mistake.
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

/// Returns a value, or throws a miss.
func found<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw CacheError.notFound }
  return value
}

extension Laws {
  /// The laws of a level that stores values under changed names.
  static func named<Key: LawSample & Hashable, Name: Hashable & Sendable>(
    _ name: @escaping @Sendable (Key) -> Name
  ) -> Laws {
    .level { Draft<Name, Int>().cache.mapKeys(name) as Cache<Key, Int> }
  }

  /// The laws of a level of numbers with a mistake.
  static func wrong(
    keeps: LevelKeeping = .everything, isPersistent: Bool = false,
    _ mistake: @escaping @Sendable (inout Draft<Int, Int>, Box<[Int: Int]>) -> Void
  ) -> Laws {
    .level(keeps: keeps, isPersistent: isPersistent, make: Draft.with(mistake))
  }
}

extension Laws {
  /// The laws of a level whose writes copy its values, change the copy, and store it without a
  /// lock.
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
  /// The laws of a level, with a short wait for its answers.
  static func impatientLevel(make: @escaping @Sendable () -> Cache<Int, Int>) -> Laws {
    let contract = LevelContract(
      keeps: .everything, isPersistent: false, open: { _ in make() }, patience: Patience(20))
    return .level("impatient", contract, .linearizable)
  }
}

extension Laws {
  /// The laws of a level that stores texts under changed names.
  static func filed(_ name: @escaping @Sendable (String) -> String) -> Laws { .named(name) }
}

/// Keeps the thread busy for 50 us, so that another thread may run between two steps.
func gap() { Pauses.spin(microseconds: 50) }
