import Strata

/// How one scripted level behaves: what it holds, which keys break it, and whether it takes its time.
struct LevelScript: Equatable, Sendable {
  /// What becomes of an operation of a key that does not simply work.
  enum Trouble: Equatable, Sendable {
    case failure
    case miss
    case cancellation
  }

  var contents: [Int: Int] = [:]
  var troubledGets: [Int: Trouble] = [:]
  var troubledWrites: [Int: Trouble] = [:]
  var troubledClear: Trouble?
  var hasSlowGets = false
  var hasSlowWrites = false
}

/// What a scripted level fails with: it tells the level and the key, so that errors are distinct.
struct ScriptError: MissError, Equatable {
  let level: Int
  let key: Int?
  let isMiss: Bool
}

extension LevelScript {
  /// A level at random; half of all levels have no trouble, and half answer at once.
  static func random(
    keys: Range<Int>, values: Range<Int>, using random: inout SeededGenerator
  ) -> LevelScript {
    var script = LevelScript()
    for key in keys where Bool.random(using: &random) {
      script.contents[key] = Int.random(in: values, using: &random)
    }
    if Bool.random(using: &random) {
      for key in keys {
        script.troubledGets[key] = .random(using: &random)
        script.troubledWrites[key] = .random(using: &random)
      }
      script.troubledClear = .random(using: &random)
    }
    script.hasSlowGets = Bool.random(using: &random)
    script.hasSlowWrites = Bool.random(using: &random)
    return script
  }

  /// The scripts that say one thing less, for shrinking.
  var simpler: [LevelScript] {
    var all: [LevelScript] = []
    func add(_ change: (inout LevelScript) -> Void) {
      var script = self
      change(&script)
      if script != self { all.append(script) }
    }
    add { $0 = LevelScript() }
    for key in contents.keys.sorted() { add { $0.contents[key] = nil } }
    for key in troubledGets.keys.sorted() { add { $0.troubledGets[key] = nil } }
    for key in troubledWrites.keys.sorted() { add { $0.troubledWrites[key] = nil } }
    add { $0.troubledClear = nil }
    add { $0.hasSlowGets = false }
    add { $0.hasSlowWrites = false }
    return all
  }
}

extension LevelScript.Trouble {
  /// Mostly none.
  fileprivate static func random(using random: inout SeededGenerator) -> Self? {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: .failure
    case 2: .miss
    case 3: .cancellation
    default: nil
    }
  }
}

extension LevelScript: CustomStringConvertible {
  var description: String {
    func text<Value>(_ name: String, _ table: [Int: Value]) -> String? {
      guard !table.isEmpty else { return nil }
      let entries = table.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "\(name) [\(entries.joined(separator: ", "))]"
    }
    let parts = [
      text("holds", contents), text("troubled gets", troubledGets),
      text("troubled writes", troubledWrites), troubledClear.map { "clear ends in \($0)" },
      hasSlowGets ? "slow gets" : nil, hasSlowWrites ? "slow writes" : nil,
    ]
    let text = parts.compactMap(\.self).joined(separator: ", ")
    return text.isEmpty ? "plain and empty" : text
  }
}
