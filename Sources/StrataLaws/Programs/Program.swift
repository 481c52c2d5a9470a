/// A random program: the steps of its clients and the scripts of its levels. Most laws about caches
/// draw a random program for each case.
package struct Program: Trial, Equatable {
  /// The script of each level.
  package var scripts: [LevelScript]
  /// The steps. A run on a single thread performs them in this order.
  package var steps: [Step]
  /// Whether each operation settles before the next step begins.
  package var isSequential: Bool

  /// Creates a program.
  package init(scripts: [LevelScript], steps: [Step], isSequential: Bool = false) {
    self.scripts = scripts
    self.steps = steps
    self.isSequential = isSequential
  }

  /// Returns a random program.
  package static func random(
    _ domain: LawDomain, using random: inout SeededGenerator
  ) -> Program {
    let domain = domain.drawable
    var (forLevels, forSteps) = (random.split(), random.split())
    var scripts = (0..<domain.levels).map { _ in LevelScript.random(domain, using: &forLevels) }
    if domain.hasSlowGets, let last = scripts.indices.last { scripts[last].hasSlowGets = true }
    if domain.hasSlowOrigin, let last = scripts.indices.last {
      scripts[last].hasSlowGets = true
      for key in domain.stored where scripts[last].contents[key] == nil {
        scripts[last].contents[key] = domain.values.lowerBound
      }
    }
    let count = Int.random(in: 1...domain.steps, using: &forSteps)
    var steps = (0..<count).map { Step.random(domain, number: $0, using: &forSteps) }
    if domain.asksOnce { steps = askingOnce(steps) }
    if domain.endsAtRest { steps += Step.atRest }
    return Program(scripts: scripts, steps: steps, isSequential: domain.isSequential)
  }

  private static func askingOnce(_ steps: [Step]) -> [Step] {
    var asked: Set<Int> = []
    return steps.filter { step in
      if case .get(let key) = step.action { asked.insert(key).inserted } else { true }
    }
  }

  /// The number of steps.
  package var size: Int { steps.count }

  /// The levels and the steps.
  package var lines: [String] {
    scripts.enumerated().map { "level \($0): \($1)" }
      + (steps.contains { $0.client > 0 }
        ? ["clients with odd numbers use another handle: cache.observed { _ in }"] : [])
      + (isSequential ? ["one operation at a time:"] : [])
      + steps.numbered()
  }

  /// Smaller programs: with half of the steps, with one step fewer, with a single client, or with a
  /// simpler level.
  package var simpler: [Program] {
    var all: [Program] = []
    func add(_ change: (inout Program) -> Void) {
      var program = self
      change(&program)
      if program != self { all.append(program) }
    }
    if steps.count > 3 {
      add { $0.steps = Array(steps.prefix(steps.count / 2)) }
      add { $0.steps = Array(steps.suffix(steps.count / 2)) }
    }
    for index in steps.indices { add { $0.steps.remove(at: index) } }
    for level in scripts.indices {
      for script in scripts[level].simpler { add { $0.scripts[level] = script } }
    }
    if steps.contains(where: { $0.client != 0 }) {
      add { for index in $0.steps.indices { $0.steps[index].client = 0 } }
    }
    return all
  }
}
