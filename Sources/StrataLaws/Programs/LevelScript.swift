import StrataVerbs

/// The behavior of a scripted level: its contents, faults, and delays.
package struct LevelScript: Equatable, Sendable {
  /// The fault that a level injects into an operation.
  package enum Fault: Equatable, Sendable {
    /// The operation fails with an error that isn't a miss.
    case failure
    /// The operation fails with a miss other than ``CacheError/notFound``.
    case miss
    /// The operation fails with ``CacheError/conditionNotSatisfied``, as if a condition had
    /// prevented the call to the level.
    case refusal
    /// The operation is cancelled.
    case cancellation
    /// The operation never settles.
    case silence
  }

  /// The initial contents of the level.
  package var contents: [Int: Int] = [:]
  /// The faults to inject into gets, by key.
  package var getFaults: [Int: Fault] = [:]
  /// The faults to inject into `set` and `remove` calls, by key.
  package var writeFaults: [Int: Fault] = [:]
  /// The fault to inject into a `clear` call.
  package var clearFault: Fault?
  /// Whether gets are slow. They settle after a delay, or when a step of the program settles them.
  package var hasSlowGets = false
  /// Whether writes are slow. They settle after a delay, or when a step of the program settles
  /// them.
  package var hasSlowWrites = false
  /// Whether a slow write takes effect when it settles, and not already when it's called.
  package var takesWritesLate = false
  /// The age in milliseconds at which a slow write fails when it settles, counted from its call.
  /// When `takesWritesLate` is `true`, such a write has no effect. If this property is `nil`, no
  /// write fails because of its age.
  package var failingAge: Int?
  /// The keys whose writes are slow, or `nil` if all writes are slow, including `clear` calls.
  package var slowKeys: Set<Int>?
  /// The delay in milliseconds after which slow operations settle. For `nil`, they settle only when
  /// the program settles them.
  package var latency: Int?

  /// Creates a script. By default, the level is empty and synchronous, and has no faults.
  package init(
    contents: [Int: Int] = [:], getFaults: [Int: Fault] = [:],
    writeFaults: [Int: Fault] = [:], clearFault: Fault? = nil,
    hasSlowGets: Bool = false, hasSlowWrites: Bool = false, latency: Int? = nil
  ) {
    self.contents = contents
    self.getFaults = getFaults
    self.writeFaults = writeFaults
    self.clearFault = clearFault
    self.hasSlowGets = hasSlowGets
    self.hasSlowWrites = hasSlowWrites
    self.latency = latency
  }
}

/// The error of a scripted level. It contains the level and the key, so errors of different levels
/// or keys differ.
package struct ScriptError: MissError, Equatable {
  /// The index of the level.
  package let level: Int
  /// The key, or `nil` if the operation affects all keys.
  package let key: Int?
  /// Whether the error is a miss.
  package let isMiss: Bool

  /// Creates an error.
  package init(level: Int, key: Int?, isMiss: Bool) {
    self.level = level
    self.key = key
    self.isMiss = isMiss
  }
}

extension LevelScript {
  /// Returns a random script. About half of all scripts have no faults, and about half have
  /// synchronous gets.
  static func random(_ domain: LawDomain, using random: inout SeededGenerator) -> LevelScript {
    var script = LevelScript()
    for key in domain.stored where Bool.random(using: &random) {
      script.contents[key] = Int.random(in: domain.values, using: &random)
    }
    if Bool.random(using: &random), domain.injectsFaults {
      for key in domain.stored {
        script.getFaults[key] = .random(using: &random)
        let fault = Fault.random(using: &random)
        script.writeFaults[key] = fault == .silence || !domain.failsWrites ? nil : fault
      }
      let fault = Fault.random(using: &random)
      script.clearFault = fault == .silence || !domain.failsWrites ? nil : fault
    }
    script.hasSlowGets = Bool.random(using: &random)
    script.hasSlowWrites = Bool.random(using: &random) && domain.slowsWrites
    script.latency = Bool.random(using: &random) ? Int.random(in: 1...6, using: &random) : nil
    if domain.hangs { script.hang(domain, using: &random) }
    return script
  }

  /// Whether writes to a key can be slow or, if the key is `nil`, whether `clear` can.
  func isSlow(_ key: Int?) -> Bool {
    guard let slowKeys else { return true }
    return key.map(slowKeys.contains) ?? false
  }

  /// Delays writes until a step of the program settles them, or for one to six milliseconds.
  private mutating func hang(_ domain: LawDomain, using random: inout SeededGenerator) {
    hasSlowGets = !domain.hangsInOneKey && Int.random(in: 0..<4, using: &random) == 0
    hasSlowWrites = Int.random(in: 0..<4, using: &random) > 0
    if Bool.random(using: &random) { latency = nil }
    takesWritesLate = true
    failingAge = Bool.random(using: &random) ? 4 : nil
    slowKeys = domain.hangsInOneKey ? [0] : nil
  }

  /// Simpler variants of this script: an empty script, and copies that each lack one entry or one
  /// setting.
  var simpler: [LevelScript] {
    var all: [LevelScript] = []
    func add(_ change: (inout LevelScript) -> Void) {
      var script = self
      change(&script)
      if script != self { all.append(script) }
    }
    add { $0 = LevelScript() }
    for key in contents.keys.sorted() { add { $0.contents[key] = nil } }
    for key in getFaults.keys.sorted() { add { $0.getFaults[key] = nil } }
    for key in writeFaults.keys.sorted() { add { $0.writeFaults[key] = nil } }
    add { $0.clearFault = nil }
    add { $0.hasSlowGets = false }
    add { $0.hasSlowWrites = false }
    add { $0.takesWritesLate = false }
    add { $0.latency = nil }
    add { $0.failingAge = nil }
    return all
  }
}

extension LevelScript.Fault {
  /// Returns `nil` in most cases, and a random fault in the other cases.
  fileprivate static func random(using random: inout SeededGenerator) -> Self? {
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: .failure
    case 2: .miss
    case 3: .cancellation
    case 4: .silence
    case 5: .refusal
    default: nil
    }
  }
}
