import Foundation
import StrataVerbs

extension Laws {
  /// Returns the law about samples, which must differ. Otherwise, the other laws would raise false
  /// alarms, or find nothing.
  static func sampled<Key: LawSample & Hashable, Value: LawSample>(
    _ keys: Key.Type, _ values: Value.Type
  ) -> Law {
    var law = Law(
      "level.samples", "sample(m) != sample(n) if m != n",
      "Samples with different numbers differ, and so do extreme values and keys in different lists.",
      draw: { _ in SampleTrial() }
    ) { _ in
      let facts =
        repeated(Key.samples(64), "\(Key.self).sample")
        + repeated(Value.samples(64), "\(Value.self).sample")
        + repeated(Value.extremes, "\(Value.self).extremes")
        + repeated(Key.spellings.compactMap(\.first), "the first keys of \(Key.self).spellings")
        + Key.spellings.enumerated().flatMap { index, list in
          list.filter { $0 != list[0] }.map { key in
            "\(Key.self).spellings[\(index)] has \(LawText.of(key)), which isn't its first key"
          }
        }
      var evidence = LawEvidence(facts.prefix(5).map { ($0, "different samples") })
      evidence?.notes = [
        "If a type has few values, declare their number: static var sampleCount: Int { … }"
      ]
      return evidence
    }
    law.mostCases = 1
    law.gaps = {
      let keys = Key.samples(64) + Key.spellings.flatMap(\.self)
      return constantParts(of: keys).map { part in
        "all samples of \(Key.self) have the same \(part), so a level may ignore it"
      }
    }
    return law
  }

  /// Returns the labels of the parts that are the same in all keys. A key whose type has a text of
  /// its own, such as a `String` or a `URL`, has no parts.
  private static func constantParts(of keys: [some Any]) -> [String] {
    let mirrors = keys.map { Mirror(reflecting: $0) }
    guard let first = mirrors.first, first.displayStyle == .struct, first.children.count > 1,
      !keys.contains(where: { $0 is any CustomReflectable || $0 is URL || $0 is UUID || $0 is Date }
      )
    else { return [] }
    return first.children.enumerated().compactMap { index, part in
      let text = BoundedText.of(part.value)
      let isConstant = mirrors.allSatisfy { mirror in
        mirror.children.dropFirst(index).first.map { BoundedText.of($0.value) == text } ?? false
      }
      return isConstant ? part.label : nil
    }
  }

  private static func repeated<Sample: Equatable>(_ samples: [Sample], _ name: String) -> [String] {
    samples.indices.compactMap { index in
      samples.firstIndex(of: samples[index]).flatMap { first in
        first == index
          ? nil : "\(name): \(index) and \(first) are both \(LawText.of(samples[index]))"
      }
    }
  }

  /// Returns the law about effects: some writes must succeed, and some gets must find a value. A
  /// level whose writes all fail, and whose gets all miss, would obey every other law.
  static func effective(_ probe: LevelProbe) -> Law {
    var law = Law(
      "level.effect", "set(k, v); get(k) == v, for some k",
      "At least one set succeeds, and a get finds its value. Otherwise the other laws check nothing.",
      draw: { _ in
        let keys = probe.spellings.indices.map { $0 * Int.spellingsPerKey }
        return LevelTrial(
          steps: keys.flatMap { [Step(.set($0, $0.keyNumber)), Step(.get($0))] }, name: probe.name)
      }
    ) { trial in
      if case .upTo(...0) = probe.keeps { return nil }
      let seen = LevelRun(probe).waiting(
        trial.steps, within: probe.consistency.bound, probe.model)
      guard !seen.operations.contains(where: { $0.answer.value != nil }) else { return nil }
      return LawEvidence(
        seen.operations.map { operation in
          let isGet = if case .get = operation.action { true } else { false }
          return ("\(operation)", isGet ? "a value, at least once" : nil)
        })
    }
    law.mostCases = 1
    return law
  }
}

/// The only trial of a law that needs no random input.
private struct SampleTrial: Trial {
  var simpler: [SampleTrial] { [] }
  var size: Int { 0 }
  var lines: [String] { [] }
}
