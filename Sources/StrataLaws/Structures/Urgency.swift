import StrataVerbs

extension Laws {
  /// A function that limits the number of concurrent gets, and serves urgent gets first.
  public typealias UrgentLimiting =
    @Sendable (
      _ cache: Cache<Int, Int>, _ count: Int, _ priority: @escaping @Sendable (Int) -> TaskPriority
    ) -> Cache<Int, Int>

  /// The laws of the priorities of `limited(toConcurrentGets:queue:priority:)`.
  public static var urgency: Laws {
    urgency { $0.limited(toConcurrentGets: $1, priority: $2) }
  }

  /// Returns laws that check your own function for limiting gets by priority.
  public static func urgency(_ verb: @escaping UrgentLimiting) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String, joins: Bool = false,
      _ fault: UrgencyProgram.Fault?
    ) -> Law {
      Law("urgency.\(name)", statement, sentence, draw: { UrgencyProgram(&$0, joins: joins) }) {
        LawEvidence($0.run(verb).map { ($0.text, fault.flatMap($0.lawful) ?? $0.lawful()) })
      }
    }
    return Laws(
      "urgency",
      [
        law(
          "order", "priority(k) > priority(l): k reaches the level before l",
          "A waiting get reaches the level before all waiting gets of lower priorities.", .urgent),
        law(
          "fairness", "priority(k) == priority(l), get k; get l: k reaches the level before l",
          "Waiting gets of one priority reach the level in the order in which they began.", .earlier
        ),
        law(
          "raise", "get k || urgent get k: k waits like an urgent get",
          "When an urgent get joins a waiting load, the load waits with the priority of the get.",
          joins: true, nil),
        Law(
          "urgency.tasks", "cancel(get): its task counts until it ends",
          "A load that ignores its cancellation keeps its permit until it has ended.",
          draw: { CancelledTasks(&$0) }
        ) {
          let (most, all) = ($0.mostTasks { verb($0, 2) { _ in .medium } }, $0.cancelled.count)
          guard most > min(all, 2) else { return nil }
          return LawEvidence(
            left: ("tasks at a time", ["\(most)"]), right: ("lawful", ["at most 2"]))
        }.waiting,
      ])
  }
}

/// Gets with priorities from a slow level, through a pool above a limit of two concurrent gets.
struct UrgencyProgram: Trial {
  enum Step: Equatable, Sendable {
    case get(key: Int, urgency: Int)
    /// The running load at this position ends.
    case end(Int)
    /// The get at this position is cancelled.
    case cancel(Int)
  }

  enum Fault { case urgent, earlier }

  /// A violation: the key whose get called the level, and the key whose get was waiting and should
  /// have gone first.
  struct Call {
    let key: Int
    var better: [Fault: Int] = [:]

    var text: String { "get \(key)" }
    func lawful(_ fault: Fault) -> String? { better[fault].map { "get \($0)" } }
    func lawful() -> String? { lawful(.urgent) ?? lawful(.earlier) }
  }

  var steps: [Step]

  init(_ random: inout SeededGenerator, joins: Bool) {
    var next = 0
    steps = (0..<Int.random(in: 4...24, using: &random)).map { _ in
      let place = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<2: return .end(place)
      case 2: return .cancel(place)
      default:
        let isJoin = joins && next > 0 && Bool.random(using: &random)
        if !isJoin { next += 1 }
        let key = isJoin ? Int.random(in: max(0, next - 4)..<next, using: &random) : next - 1
        return .get(key: key, urgency: .random(in: 0..<3, using: &random))
      }
    }
  }

  var simpler: [UrgencyProgram] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] { steps.map { "\($0)" } }

  /// Runs the program, and returns the calls of the level in their order.
  func run(_ verb: Laws.UrgentLimiting) -> [Call] {
    let world = Lock(UrgencyWorld())
    let priorities = [TaskPriority.background, .medium, .high]
    let origin = Fetcher<Int, Int> { key in
      Promise { continuation in
        world.withLock { $0.call(key, continuation) }
        continuation.onCancel { world.withLock { $0.running.removeAll { $0.key == key } } }
      }
    }
    let cache = verb(origin, 2) { key in priorities[world.withLock { $0.asked[key] ?? 0 }] }
      .pooled()
    var gets: [(key: Int, get: Promise<Int>)] = []
    func settle() { gets.removeAll { $0.get.outcome != nil } }
    func end(_ place: Int) {
      let load = world.withLock { $0.running.count > place ? $0.running.remove(at: place) : nil }
      load?.continuation.succeed(0)
      settle()
    }
    for step in steps {
      switch step {
      case .get(let key, let urgency):
        world.withLock { $0.begin(key, urgency) }
        gets.append((key, cache.get(key)))
        settle()
      case .end(let place): end(place)
      case .cancel(let place):
        guard place < gets.count else { break }
        let (key, get) = gets.remove(at: place)
        if !gets.contains(where: { $0.key == key }) {
          world.withLock { $0.waiting[key] = nil }
        }
        get.cancel()
      }
    }
    while world.withLock({ !$0.running.isEmpty }) { end(0) }
    return world.withLock { $0.calls }
  }
}

/// The state of each key while a program runs.
private struct UrgencyWorld {
  var asked: [Int: Int] = [:]
  var waiting: [Int: (urgency: Int, place: Int)] = [:]
  var running: [(key: Int, continuation: Promise<Int>.Continuation)] = []
  var calls: [UrgencyProgram.Call] = []
  private var place = 0

  mutating func begin(_ key: Int, _ urgency: Int) {
    asked[key] = urgency
    place += 1
    guard !running.contains(where: { $0.key == key }) else { return }
    if let waiter = waiting[key], waiter.urgency >= urgency { return }
    waiting[key] = (urgency, place)
  }

  mutating func call(_ key: Int, _ continuation: Promise<Int>.Continuation) {
    running.append((key, continuation))
    var call = UrgencyProgram.Call(key: key)
    if let own = waiting.removeValue(forKey: key) {
      let urgent = waiting.filter { $0.value.urgency > own.urgency }
      call.better[.urgent] = urgent.max { $0.value.urgency < $1.value.urgency }?.key
      let earlier = waiting.filter {
        $0.value.urgency == own.urgency && $0.value.place < own.place
      }
      call.better[.earlier] = earlier.min { $0.value.place < $1.value.place }?.key
    }
    calls.append(call)
  }
}

/// Gets from an async function that ignores its cancellation. Some of them are cancelled.
private struct CancelledTasks: Trial {
  var cancelled: [Bool]

  init(_ random: inout SeededGenerator) {
    cancelled = (0..<Int.random(in: 1...6, using: &random)).map { _ in .random(using: &random) }
  }

  var simpler: [CancelledTasks] {
    cancelled.count > 1 ? withoutEach(\.cancelled) : []
  }

  var size: Int { cancelled.count }
  var lines: [String] { cancelled.map { $0 ? "get, cancel" : "get" } }

  /// Returns the largest number of loads that were in flight at the same time.
  func mostTasks(_ verb: (Cache<Int, Int>) -> Cache<Int, Int>) -> Int {
    let tasks = Lock((now: 0, most: 0))
    var opening: Promise<Void>.Continuation?
    let gate = Promise<Void> { opening = $0 }
    let origin = Fetcher<Int, Int> { key async throws -> Int in
      await withCheckedContinuation { ending in
        gate.observed { _ in ending.resume() }
      }
      tasks.withLock { $0.now -= 1 }
      return key
    }
    // A task's function begins later than the task, so the calls are counted, and not the functions.
    let counted = origin.transformingGet("counted") { get in
      { key in
        tasks.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        return get(key)
      }
    }
    let cache = verb(counted)
    let gets = cancelled.enumerated().map { key, isCancelled in
      let get = cache.get(key)
      if isCancelled { get.cancel() }
      return get
    }
    opening?.succeed(())
    for get in gets { _ = settled(get) }
    return tasks.withLock { $0.most }
  }
}
