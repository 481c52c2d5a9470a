import Foundation
import StrataVerbs

extension Laws {
  /// A function that loads what a storage has saved into a cache of bytes.
  package typealias WarmLoad =
    @Sendable (
      _ storage: MemoryStorage<Int, Stamped<Int>>, _ cache: Cache<String, Data>
    ) async throws -> Void

  /// The laws of saving a `MemoryStorage` and loading it in a later run.
  public static var warmStarts: Laws {
    warmStarts { storage, cache in
      try await storage.load(from: cache, keys: .json(), values: .stamped(.json()))
    }
  }

  /// - Parameter load: The function to check.
  package static func warmStarts(_ load: @escaping WarmLoad) -> Laws {
    Laws(
      "warm",
      [
        law(
          "values", "save(); load(); get(k) is a value that was saved or written, or misses",
          "After a load, a get returns a value that was held during the save, or misses.", load),
        law(
          "ages", "save(); load(); get(k).storedAt is that of the value",
          "A load keeps the creation times.", load),
        law(
          "writes", "save(); set(k, v); load(); get(k) is v or misses",
          "A write before the load or during it wins, even if its value has been evicted.", load),
      ])
  }

  private static func law(
    _ name: String, _ statement: String, _ sentence: String, _ load: @escaping WarmLoad
  ) -> Law {
    Law("warm.\(name)", statement, sentence, draw: { WarmTrial(&$0) }) { trial in
      let seen = trial.faults(load, of: name)
      return seen.isEmpty ? nil : LawEvidence(left: ("seen", seen), right: ("lawful", []))
    }.waiting
  }
}

/// Two runs of a program. The first saves values. Then the second loads them, with writes before
/// and during the load.
private struct WarmTrial: Trial {
  enum Step: CustomStringConvertible, Sendable {
    case set(Int)
    case remove(Int)
    case evict

    var description: String {
      switch self {
      case .set(let key): "set(\(key))"
      case .remove(let key): "remove(\(key))"
      case .evict: "evict all values"
      }
    }
  }

  var saved: [Int]
  var before: [Step]
  var during: [Step]
  /// Whether the same storage saves the values and loads them.
  var isSame: Bool

  init(_ random: inout SeededGenerator) {
    func steps(_ most: Int) -> [Step] {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in
        let key = Int.random(in: 0..<4, using: &random)
        return switch Int.random(in: 0..<6, using: &random) {
        case 0...2: .set(key)
        case 3: .remove(key)
        default: .evict
        }
      }
    }
    saved = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      Int.random(in: 0..<4, using: &random)
    }
    (before, during) = (steps(3), steps(2))
    isSame = Bool.random(using: &random)
  }

  var simpler: [WarmTrial] {
    var trials: [WarmTrial] = []
    func add(_ change: (inout WarmTrial) -> Void) {
      var trial = self
      change(&trial)
      trials.append(trial)
    }
    for index in saved.indices { add { $0.saved.remove(at: index) } }
    for index in before.indices { add { $0.before.remove(at: index) } }
    for index in during.indices { add { $0.during.remove(at: index) } }
    return trials
  }

  var size: Int { saved.count + before.count + during.count }
  var lines: [String] {
    saved.map { "set(\($0))" } + [isSame ? "save()" : "save(), in an earlier run"]
      + before.map(\.description) + ["load()"] + during.map { "during the load: \($0)" }
  }

  /// Runs the program, and returns what violates a law.
  func faults(_ load: @escaping Laws.WarmLoad, of law: String) -> [String] {
    let (clock, time) = TimeSource.manual()
    let first = MemoryStorage<Int, Stamped<Int>>(capacity: 100, clock: clock)
    var kept: [Int: Stamped<Int>] = [:]
    for (number, key) in saved.enumerated() {
      time.advance(by: .seconds(1))
      kept[key] = Stamped(number, storedAt: clock.now())
      _ = Cache.memory(first).set(key, kept[key]!)
    }
    let bytes = Cache<String, Data>.dictionary()
    let save = Promise {
      _ = try await first.save(into: bytes, keys: .json(), values: .stamped(.json()))
    }
    do { try save.wait(for: .seconds(60)) } catch { return ["save() fails: \(error)"] }
    time.advance(by: .seconds(60))

    let second = isSame ? first : MemoryStorage<Int, Stamped<Int>>(capacity: 100, clock: clock)
    let level = Cache.memory(second)
    let written = Lock<[Int: Int?]>([:])
    @Sendable func run(_ steps: [Step], from number: Int) {
      for (offset, step) in steps.enumerated() {
        switch step {
        case .set(let key):
          _ = level.set(key, Stamped(number + offset, storedAt: clock.now()))
          written.withLock { $0[key] = .some(number + offset) }
        case .remove(let key):
          _ = level.remove(key)
          written.withLock { $0[key] = .some(nil) }
        case .evict:
          second.setCapacity(0)
          second.setCapacity(100)
        }
      }
    }
    run(before, from: 100)
    let isBegun = Lock(false)
    let during = during
    let source = Cache<String, Data>(
      as: .memory, keepsOrder: true,
      get: { key in
        // The second get of a load reads the first page.
        let isSecond = isBegun.withLock { begun in
          defer { begun = true }
          return begun
        }
        let answer = bytes.get(key)
        if isSecond { run(during, from: 200) }
        return answer
      }, set: bytes.set)
    let loading = Promise { try await load(second, source) }
    do { try loading.wait(for: .seconds(60)) } catch { return ["load() fails: \(error)"] }
    return (0..<4).compactMap { key in
      guard let found = level.get(key).outcome?.value else { return nil }
      let (old, new) = (kept[key], written.withLock { $0[key] })
      switch law {
      case "values":
        return found.value >= 100 || found.value == old?.value
          ? nil : "get(\(key)) == \(found.value), which was never held"
      case "ages":
        return found.value >= 100 || found.storedAt == old?.storedAt
          ? nil : "the value of \(key) has another age"
      default:
        guard let new else { return nil }
        return found.value == new ? nil : "get(\(key)) == \(found.value), after a later write"
      }
    }
  }
}
