import StrataVerbs

/// The levels and the clock from which a law of expiry builds a cache.
package struct LifeContext: Sendable {
  /// The upper level, which returns stamped values even after their deadlines.
  package let upper: Cache<Int, Stamped<Int>>
  /// The lower level, which returns stamped values even after their deadlines.
  package let lower: Cache<Int, Stamped<Int>>
  /// The clock of the program.
  package let time: TimeSource
  /// The lifetime of values.
  package let lifetime: Duration
  /// The age limits of the levels.
  package let bounds: [Duration]
}

/// A level that stores stamped values and returns them even after their deadlines.
final class AgedLevel: Sendable {
  let held = Lock<[Int: Stamped<Int>]>([:])

  var contents: [Int: Stamped<Int>] { held.withLock { $0 } }

  var cache: Cache<Int, Stamped<Int>> {
    Cache(
      get: { key in Promise(self.held.withLock { $0[key] }, or: CacheError.notFound) },
      set: { key, value in
        self.held.withLock { $0[key] = value }
        return Promise()
      },
      remove: { key in
        self.held.withLock { $0[key] = nil }
        return Promise()
      },
      clear: {
        self.held.withLock { $0 = [:] }
        return Promise()
      })
  }
}

/// The observed effects of one step: the result, the time, and the contents of the levels before
/// and after the step.
struct LifeFact: Equatable, CustomStringConvertible {
  let step: LifeProgram.Step
  let now: TimeSource.Instant
  let answer: LawObservation.Answer?
  let before: [[Int: Stamped<Int>]]
  let after: [[Int: Stamped<Int>]]

  var description: String {
    let held = after.map { level in
      level.sorted { $0.key < $1.key }.map { "\($0): \(text($1))" }.joined(separator: ", ")
    }
    let answered = answer.map { ": \($0)" } ?? ""
    return "\(step)\(answered) at \(text(now)); [\(held.joined(separator: "] ["))]"
  }

  private func text(_ stamped: Stamped<Int>) -> String {
    "\(stamped.value) (\(text(stamped.storedAt))..<\(stamped.expiresAt.map(text) ?? "never"))"
  }

  private func text(_ moment: TimeSource.Instant) -> String {
    "\(Int(LifeRun.start.duration(to: moment) / .milliseconds(1)))"
  }
}

/// One run of a program against a new cache.
struct LifeRun {
  static let start = TimeSource.Instant(sinceEpoch: .seconds(1_000_000_000))

  static func facts(
    _ program: LifeProgram, _ build: (LifeContext) -> Cache<Int, Int>
  ) -> [LifeFact] {
    let (time, clock) = TimeSource.manual(startingAt: start)
    let levels = [AgedLevel(), AgedLevel()]
    let caches = Handles(
      build(
        LifeContext(
          upper: levels[0].cache, lower: levels[1].cache, time: time,
          lifetime: .milliseconds(program.lifetime),
          bounds: program.bounds.map { .milliseconds($0) })))
    return program.steps.enumerated().map { number, step in
      let before = levels.map(\.contents)
      let answer = perform(step, value: number + 1, caches[number], levels, clock)
      return LifeFact(
        step: step, now: clock.now, answer: answer, before: before, after: levels.map(\.contents))
    }
  }

  private static func perform(
    _ step: LifeProgram.Step, value: Int, _ cache: Cache<Int, Int>, _ levels: [AgedLevel],
    _ clock: ManualTime
  ) -> LawObservation.Answer? {
    switch step {
    case .get(let key):
      return cache.get(key).outcome.map { .init($0) } ?? LawObservation.Answer.none
    case .set(let key): return cache.set(key, value).outcome.map { .init($0) }
    case .remove(let key): return cache.remove(key).outcome.map { .init($0) }
    case .clear: return cache.clear().outcome.map { .init($0) }
    case .advance(let milliseconds): clock.advance(by: .milliseconds(milliseconds))
    case .lose(let level, let key): levels[level].held.withLock { $0[key] = nil }
    case .put(let level, let key, let age, let lifetime):
      let born = clock.now.advanced(by: .milliseconds(-age))
      levels[level].held.withLock {
        $0[key] = Stamped(
          value, storedAt: born, lasting: lifetime.map { Duration.milliseconds($0) })
      }
    }
    return nil
  }
}
