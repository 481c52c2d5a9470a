import StrataVerbs

/// One run of a program with a prefetcher. It records what happens, and what violates a law.
final class PrefetchRun {
  enum Fault { case answer, unwanted, again, crowd, absent, paused }

  /// The observed event, and the event that the law requires instead.
  struct Fact: Sendable {
    let text: String
    var fault: Fault?
    var lawful: String?
  }

  private struct World: Sendable {
    var step = PrefetchProgram.Step.want([])
    var wanted: [Int] = []
    var isPaused = false
    var loads: [(key: Int, end: Promise<Int>.Continuation)] = []
    /// The keys whose load has begun, or has even ended, since they became wanted.
    var begun: Set<Int> = []
    var loaded: Set<Int> = []
    var facts: [Fact] = []

    mutating func begin(_ key: Int, _ end: Promise<Int>.Continuation) {
      loads.append((key, end))
      var fact = Fact(text: "load \(key)")
      if !begun.insert(key).inserted, wanted.contains(key) {
        (fact.fault, fact.lawful) = (.again, "no second load of \(key)")
      }
      if isPaused, step != .get(key) { (fact.fault, fact.lawful) = (.paused, "no load of \(key)") }
      facts.append(fact)
    }

    mutating func cancel(_ key: Int) {
      loads.removeAll { $0.key == key }
      facts.append(Fact(text: "cancel \(key)"))
      // Without its get, a prefetch may begin to load a wanted key again.
      if case .cancel = step { begun.remove(key) }
    }
  }

  private let world = Lock(World())
  private let cache: Cache<Int, Int>
  private let prefetching: Prefetching
  private var gets: [(key: Int, get: Promise<Int>)] = []

  init(_ make: @Sendable (Cache<Int, Int>, Int) -> Prefetching) {
    let world = world
    let origin = Fetcher<Int, Int> { key in
      Promise { continuation in
        world.withLock { $0.begin(key, continuation) }
        continuation.onCancel { world.withLock { $0.cancel(key) } }
      }
    }
    cache = .dictionary() + origin.pooled()
    prefetching = make(cache, 2)
  }

  func take(_ step: PrefetchProgram.Step) {
    world.withLock {
      $0.step = step
      $0.facts.append(Fact(text: "\(step)"))
    }
    switch step {
    case .want(let keys):
      world.withLock {
        $0.wanted = keys
        $0.begun = $0.begun.filter(keys.contains)
      }
      prefetching.want(keys)
    case .get(let key): gets.append((key, cache.get(key)))
    case .cancel(let place):
      guard place < gets.count else { break }
      gets.remove(at: place).get.cancel()
    case .end(let place):
      let load = world.withLock { world -> (key: Int, end: Promise<Int>.Continuation)? in
        guard place < world.loads.count else { return nil }
        world.loaded.insert(world.loads[place].key)
        return world.loads.remove(at: place)
      }
      if let load { load.end.succeed(10 * load.key) }
    case .pause(let isPaused):
      world.withLock { $0.isPaused = isPaused }
      prefetching.pause(isPaused)
    }
    noteAnswers()
    judgeLoads()
  }

  /// Ends all loads, and returns what happened.
  func end() -> [Fact] {
    take(.pause(false))
    while world.withLock({ !$0.loads.isEmpty }) { take(.end(0)) }
    let key = world.withLock { world in world.wanted.first { !world.loaded.contains($0) } }
    if let key { note("\(key) is absent", .absent, "\(key) is loaded") }
    if let get = gets.first {
      note("get \(get.key): no answer", .answer, "get \(get.key): a value")
    }
    return world.withLock { $0.facts }
  }

  private func noteAnswers() {
    for (key, get) in gets {
      guard let outcome = get.outcome else { continue }
      let isRight = outcome.value == 10 * key
      note(
        "get \(key): \(LawObservation.Answer(outcome))", isRight ? nil : .answer,
        "get \(key): \(10 * key)")
    }
    gets.removeAll { $0.get.outcome != nil }
  }

  /// Checks the loads that no get waits for.
  private func judgeLoads() {
    let awaited = Set(gets.map(\.key))
    let (alone, wanted) = world.withLock { world in
      (world.loads.map(\.key).filter { !awaited.contains($0) }, world.wanted)
    }
    if let key = alone.first(where: { !wanted.contains($0) }) {
      note("\(key) is still loaded", .unwanted, "\(key) is cancelled")
    }
    if alone.count > 2 { note("\(alone.count) prefetches run", .crowd, "2 prefetches run") }
  }

  private func note(_ text: String, _ fault: Fault?, _ lawful: String) {
    world.withLock { $0.facts.append(Fact(text: text, fault: fault, lawful: lawful)) }
  }
}
