import StrataVerbs

/// The functions of a `MemoryStorage` and its level, as the laws call them.
package struct StorageFunctions: Sendable {
  package var get: @Sendable (Int) -> Int?
  package var set: @Sendable (Int, Int) -> Void
  package var remove: @Sendable (Int) -> Void
  package var keys: @Sendable () -> [Int]
  package var cost: @Sendable () -> Int
  package var setCapacity: @Sendable (Int) -> Void
  package var setIfAbsent: @Sendable (Int, Int) -> Int?
  package var update: @Sendable (Int, (Int?) -> Int?) -> Int?

  /// The functions of a storage and its level.
  package init(_ storage: MemoryStorage<Int, Int>) {
    let level = Cache<Int, Int>.memory(storage)
    get = { level.get($0).outcome?.value }
    set = { _ = level.set($0, $1) }
    remove = { _ = level.remove($0) }
    keys = { storage.keys }
    cost = { storage.cost }
    setCapacity = { storage.setCapacity(cost: $0) }
    setIfAbsent = { storage.setIfAbsent($1, for: $0) }
    update = { storage.update($0, $1) }
  }
}

extension Laws {
  /// The laws of `MemoryStorage`.
  public static var storage: Laws { storage { StorageFunctions(MemoryStorage(capacity: 4)) } }

  /// - Parameter make: A closure that returns an empty storage with room for four values.
  package static func storage(_ make: @escaping @Sendable () -> StorageFunctions) -> Laws {
    Laws(
      "storage",
      [
        law(
          "capacity", "setCapacity(n); cost <= n, and growing loses nothing",
          "A storage never holds more than its capacity, and a larger one evicts nothing.", make),
        law(
          "keys", "k in keys == (get(k) is a hit)",
          "The keys of a storage that no other thread uses are those with a value.", make),
        law(
          "update", "update(k, f); get(k) == f(v), where v is the last value before",
          "A change that depends on the old value misses no write of the key.", make),
      ])
  }

  private static func law(
    _ name: String, _ statement: String, _ sentence: String,
    _ make: @escaping @Sendable () -> StorageFunctions
  ) -> Law {
    Law("storage.\(name)", statement, sentence, draw: { StorageTrial(&$0) }) { trial in
      let seen = trial.faults(make(), of: name)
      return seen.isEmpty ? nil : LawEvidence(left: ("seen", seen), right: ("lawful", []))
    }
  }
}

/// A program on a storage with one thread.
private struct StorageTrial: Trial {
  enum Step: CustomStringConvertible, Sendable {
    case get(Int)
    case set(Int)
    case remove(Int)
    case resize(Int)
    case setIfAbsent(Int)
    /// Adds a thousand to the value. If `isDisturbed`, another write to the key takes effect during
    /// the first call of the closure.
    case update(Int, isDisturbed: Bool)

    var description: String {
      switch self {
      case .get(let key): "get(\(key))"
      case .set(let key): "set(\(key))"
      case .remove(let key): "remove(\(key))"
      case .resize(let capacity): "setCapacity(\(capacity))"
      case .setIfAbsent(let key): "setIfAbsent(\(key))"
      case .update(let key, let isDisturbed):
        "update(\(key)) { $0 + 1000 }\(isDisturbed ? ", during a set" : "")"
      }
    }
  }

  var steps: [Step]

  init(_ random: inout SeededGenerator) {
    steps = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      let key = Int.random(in: 0..<6, using: &random)
      return switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: .get(key)
      case 2...4: .set(key)
      case 5: .remove(key)
      case 6: .resize(Int.random(in: 0...8, using: &random))
      case 7: .setIfAbsent(key)
      default: .update(key, isDisturbed: Bool.random(using: &random))
      }
    }
  }

  var simpler: [StorageTrial] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] { steps.map(\.description) }

  /// Runs the program, and returns what violates a law.
  func faults(_ storage: StorageFunctions, of law: String) -> [String] {
    var (faults, capacity) = ([String](), 4)
    for (number, step) in steps.enumerated() {
      let held = Set((0..<6).filter { storage.get($0) != nil })
      switch step {
      case .get(let key): _ = storage.get(key)
      case .set(let key): storage.set(key, number)
      case .remove(let key): storage.remove(key)
      case .resize(let new):
        storage.setCapacity(new)
        let kept = Set((0..<6).filter { storage.get($0) != nil })
        if law == "capacity", new >= capacity, kept != held { faults.append("growing evicts") }
        capacity = new
      case .setIfAbsent(let key):
        let old = storage.get(key)
        let found = storage.setIfAbsent(key, number)
        let new = storage.get(key)
        if law == "update", found != old || new != nil && new != old ?? number {
          faults.append(
            "setIfAbsent(\(key)) finds \(found as Any), \(new as Any) instead of \(old as Any)")
        }
      case .update(let key, let isDisturbed):
        var (last, calls) = (storage.get(key), 0)
        let answer = storage.update(key) { old in
          calls += 1
          if isDisturbed, calls == 1 {
            storage.set(key, number)
            last = storage.get(key)
          }
          return (old ?? 0) + 1_000
        }
        let wanted = (last ?? 0) + 1_000
        let new = storage.get(key)
        if law == "update", answer != wanted || new != nil && new != wanted {
          faults.append("update(\(key)) stores \(new as Any) instead of \(wanted)")
        }
      }
      if law == "capacity", storage.cost() > capacity { faults.append("too much is stored") }
      if law == "keys", storage.keys().sorted() != (0..<6).filter({ storage.get($0) != nil }) {
        faults.append("keys are \(storage.keys().sorted())")
      }
    }
    return faults
  }
}
