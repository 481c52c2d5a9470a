import StrataVerbs

/// A random program on a cache with tags. Its operations run one after another. Only a tick moves
/// the clock.
struct TagProgram: Trial {
  enum Step: Equatable, Sendable {
    case set(key: Int, value: Int)
    case get(key: Int)
    case mark(Set<String>, Tags.Action)
    case removeKey(Int)
    case clear
    case tick
  }

  var steps: [Step]

  /// The tags of a value: one for its key, and one for its parity.
  static let tags: @Sendable (Int, Int) -> [String] = { key, value in
    ["value \(value % 2)", "key \(key)"]
  }

  private static let all = ["value 0", "value 1", "key 0", "key 1"]

  init(_ steps: [Step]) { self.steps = steps }

  init(_ random: inout SeededGenerator) {
    steps = (0..<Int.random(in: 3...14, using: &random)).map { _ -> Step in
      let (key, value) = (
        Int.random(in: 0..<2, using: &random), Int.random(in: 0..<4, using: &random)
      )
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4: return .set(key: key, value: value)
      case 4..<7: return .get(key: key)
      case 7..<10:
        let marked = Self.all.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        return .mark(Set(marked), Bool.random(using: &random) ? .remove : .expire)
      case 10: return Bool.random(using: &random) ? .removeKey(key) : .clear
      default: return .tick
      }
    }
    // Every program ends with gets of all keys.
    steps += [.get(key: 0), .get(key: 1)]
  }

  var simpler: [TagProgram] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] { steps.map { "\($0)" } }

  /// Returns a copy of this program in which `replacement` has replaced each step.
  func replacing(_ replacement: (Step) -> [Step]) -> TagProgram {
    TagProgram(steps.flatMap(replacement))
  }

  /// Runs the program, and returns the answers of its gets.
  func run(
    on cache: Cache<Int, Stamped<Int>>, _ clock: TimeSource, _ time: ManualTime,
    mark: (Set<String>, Tags.Action) -> Promise<Void>
  ) -> [String] {
    var answers: [String] = []
    let caches = Handles(cache)
    for (number, step) in steps.enumerated() {
      let cache = caches[number]
      switch step {
      case .set(let key, let value):
        _ = settled(
          cache.set(key, Stamped(value, storedAt: clock.now(), lasting: .seconds(3_600))))
      case .get(let key):
        switch settled(cache.get(key)) {
        case .success(let entry):
          let isStale = !entry.isValid(at: clock.now())
          answers.append("\(key) is \(entry.value)\(isStale ? ", stale" : "")")
        case .failure(let error): answers.append(error.isMiss ? "\(key) is absent" : "\(error)")
        default: answers.append("no answer")
        }
      case .mark(let tags, let action): _ = settled(mark(tags, action))
      case .removeKey(let key): _ = settled(cache.remove(key))
      case .clear: _ = settled(cache.clear())
      case .tick: time.advance(by: .seconds(1))
      }
    }
    return answers
  }

  /// The lawful answers of the program.
  var model: [String] {
    var values: [Int: (value: Int, isStale: Bool)] = [:]
    var answers: [String] = []
    for step in steps {
      switch step {
      case .set(let key, let value): values[key] = (value, false)
      case .get(let key):
        let found = values[key].map { "\(key) is \($0.value)\($0.isStale ? ", stale" : "")" }
        answers.append(found ?? "\(key) is absent")
      case .mark(let tags, let action):
        for (key, entry) in values where !tags.isDisjoint(with: Self.tags(key, entry.value)) {
          values[key] = action == .remove ? nil : (entry.value, true)
        }
      case .removeKey(let key): values[key] = nil
      case .clear: values = [:]
      case .tick: break
      }
    }
    return answers
  }
}

/// Loads of one key, each with the tags that are marked during the load.
struct TaggedLoads: Trial {
  var marks: [Set<String>]

  init(_ random: inout SeededGenerator) {
    marks = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      Set(["value 0", "value 1", "key 0", "key 1"].filter { _ in Bool.random(using: &random) })
    }
  }

  var simpler: [TaggedLoads] {
    marks.count > 1 ? withoutEach(\.marks) : []
  }

  var size: Int { marks.count }
  var lines: [String] { marks.map { "load, and remove \($0.sorted()) meanwhile" } }
}
