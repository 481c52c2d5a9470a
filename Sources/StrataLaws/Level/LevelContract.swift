import Foundation
import StrataVerbs

/// A level and its guarantees.
struct LevelContract<Key: LawSample & Hashable, Value: LawSample>: Sendable {
  let keeps: LevelKeeping
  let isPersistent: Bool
  var consistency = LevelConsistency.linearizable
  let open: @Sendable (_ place: String) -> Cache<Key, Value>
  /// Deletes what a level has created at a location.
  var cleanUp: (@Sendable (_ place: String, Cache<Key, Value>) -> Void)?
  var patience = Patience()
  let tempo = Tempo()
  let tally = LevelTally()
}

/// A location at which a level is opened. Runs at one location share this object. When the last of
/// them releases it, it deletes what the level has created there.
final class LevelPlace: Sendable {
  let name = "level-\(UUID().uuidString)"
  private let ends = Lock<[@Sendable () -> Void]>([])

  func atEnd(_ body: @escaping @Sendable () -> Void) { ends.withLock { $0.append(body) } }

  deinit { for end in ends.withLock({ $0.suffix(1) }) { end() } }
}

/// For each kind of operation, the number of those that took effect in a check of a level.
final class LevelTally: Sendable {
  private let counts = Lock<[String: (all: Int, effective: Int)]>([:])

  func note(_ action: Step.Action, _ answer: LawObservation.Answer) {
    let (kind, isEffective): (String, Bool)
    switch action {
    case .get: (kind, isEffective) = ("get", answer.value != nil)
    case .set: (kind, isEffective) = ("set", answer == .done)
    case .remove: (kind, isEffective) = ("remove", answer == .done)
    case .clear: (kind, isEffective) = ("clear", answer == .done)
    default: return
    }
    counts.withLock { counts in
      counts[kind, default: (0, 0)].all += 1
      if isEffective { counts[kind, default: (0, 0)].effective += 1 }
    }
  }

  /// The number of all operations.
  var count: Int { counts.withLock { $0.values.reduce(0) { $0 + $1.all } } }

  /// One line for each kind of operation.
  var lines: [String] {
    let counts = counts.withLock { $0 }
    return ["get", "set", "remove", "clear"].compactMap { kind in
      counts[kind].map { count in
        "\(count.effective) of \(count.all) \(kind)s "
          + (kind == "get" ? "found a value" : "succeeded")
      }
    }
  }
}

/// The values that gets have returned although no `set` had stored them. Their numbers are
/// negative.
final class Strangers: Sendable {
  private let texts = Lock<[String]>([])

  /// Returns the number of a value that isn't among the values of the program.
  func number<Value>(of value: Value, besides values: [Value]) -> Int {
    // A wrong value is probably a damaged form of the stored value with the most similar beginning.
    let seen = Self.bytes(of: value)
    func alike(_ other: Value) -> Int {
      zip(seen, Self.bytes(of: other)).prefix { $0 == $1 }.count
    }
    let nearest = values.indices.max { alike(values[$0]) < alike(values[$1]) }
    let text =
      LawText.of(value) + ", which nothing stored. "
      + (nearest.map { index in
        "The most similar value is \(index), \(LawText.of(values[index])): "
          + (LawText.difference(value, values[index]) ?? "both look alike")
      } ?? "")
    return number(text)
  }

  /// Returns the number of a wrong value with the given explanation.
  func number(_ text: String) -> Int {
    texts.withLock { texts in
      if let index = texts.firstIndex(of: text) { return -1 - index }
      // A check may have many cases, so it must not keep a text for each of them.
      if texts.count == 1000 { return -1000 }
      texts.append(text)
      return -texts.count
    }
  }

  /// The first bytes of a value or its text.
  private static func bytes(of value: some Any) -> [UInt8] {
    if let data = value as? Data { return Array(data.prefix(400)) }
    let text = value as? String ?? BoundedText.of(value)
    return Array(text.utf8.prefix(400))
  }

  /// Explains the negative numbers in some lines.
  func notes(about lines: [String]) -> [String] {
    texts.withLock { texts in
      texts.indices.filter { index in
        lines.contains { line in
          let number = "\(-1 - index)"
          return line.split { " :,.".contains($0) }.contains { $0 == number }
        }
      }.prefix(4).map { "\(-1 - $0) is \(texts[$0])." }
    }
  }
}
