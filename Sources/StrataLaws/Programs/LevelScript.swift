import Strata

/// How one scripted level behaves: what it holds, which keys break it, and whether it takes its
/// time.
public struct LevelScript: Equatable, Sendable {
  /// What becomes of an operation of a key that does not simply work.
  public enum Trouble: Equatable, Sendable {
    /// It fails, with an error that is no miss.
    case failure
    /// It fails with a miss that is not the plain one.
    case miss
    /// It ends as cancelled.
    case cancellation
    /// It never answers.
    case silence
  }

  /// What it holds at first.
  public var contents: [Int: Int] = [:]
  /// The keys that it does not answer for.
  public var troubledGets: [Int: Trouble] = [:]
  /// The keys that it does not store or remove.
  public var troubledWrites: [Int: Trouble] = [:]
  /// What becomes of a clear.
  public var troubledClear: Trouble?
  /// Whether gets wait until the program settles them.
  public var hasSlowGets = false
  /// Whether writes wait until the program settles them.
  public var hasSlowWrites = false
  /// After how many milliseconds what is slow answers by itself; never, if `nil`.
  public var latency: Int?

  /// Makes a script; what is left out is plain, empty and quick.
  public init(
    contents: [Int: Int] = [:], troubledGets: [Int: Trouble] = [:],
    troubledWrites: [Int: Trouble] = [:], troubledClear: Trouble? = nil,
    hasSlowGets: Bool = false, hasSlowWrites: Bool = false, latency: Int? = nil
  ) {
    self.contents = contents
    self.troubledGets = troubledGets
    self.troubledWrites = troubledWrites
    self.troubledClear = troubledClear
    self.hasSlowGets = hasSlowGets
    self.hasSlowWrites = hasSlowWrites
    self.latency = latency
  }
}

/// What a scripted level fails with: it tells the level and the key, so that errors are distinct.
public struct ScriptError: MissError, Equatable {
  /// The number of the level.
  public let level: Int
  /// The key, or `nil` for all keys.
  public let key: Int?
  /// Whether it says that there is no value.
  public let isMiss: Bool

  /// Makes an error.
  public init(level: Int, key: Int?, isMiss: Bool) {
    self.level = level
    self.key = key
    self.isMiss = isMiss
  }
}

extension LevelScript {
  /// A level at random; half of all levels have no trouble, and half answer at once.
  static func random(_ domain: Domain, using random: inout SeededGenerator) -> LevelScript {
    var script = LevelScript()
    for key in domain.stored where Bool.random(using: &random) {
      script.contents[key] = Int.random(in: domain.values, using: &random)
    }
    if Bool.random(using: &random), domain.isTroubled {
      for key in domain.stored {
        script.troubledGets[key] = .random(using: &random)
        let trouble = Trouble.random(using: &random)
        script.troubledWrites[key] = trouble == .silence ? nil : trouble
      }
      let trouble = Trouble.random(using: &random)
      script.troubledClear = trouble == .silence ? nil : trouble
    }
    script.hasSlowGets = Bool.random(using: &random)
    script.hasSlowWrites = Bool.random(using: &random)
    script.latency = Bool.random(using: &random) ? Int.random(in: 1...6, using: &random) : nil
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
    add { $0.latency = nil }
    return all
  }
}

extension LevelScript.Trouble {
  /// Mostly none.
  fileprivate static func random(using random: inout SeededGenerator) -> Self? {
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: .failure
    case 2: .miss
    case 3: .cancellation
    case 4: .silence
    default: nil
    }
  }
}
