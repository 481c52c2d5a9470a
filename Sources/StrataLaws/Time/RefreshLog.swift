import StrataVerbs

/// The log of a run, with the times of all gets and loads. With every clock time, it also stores a
/// tick: the number of the current step.
struct RefreshLog: Sendable {
  typealias Moment = (tick: Int, now: TimeSource.Instant)

  /// A get of a key. The level's entry for the key was `entry` when the get began, and `entryAtEnd`
  /// when it ended.
  struct Get: Sendable {
    let key: Int
    let began: Moment
    let entry: Stamped<Int>?
    var ended: Moment?
    var answer = LawObservation.Answer.none
    var entryAtEnd: Stamped<Int>?
    var wasCancelled = false
  }

  /// A load from the origin. Its value is 1000 plus its index.
  struct Load: Sendable {
    let key: Int
    let began: Moment
    var ended: Moment?
    var answer = "no answer"

    var hasFailed: Bool { ended != nil && answer != "value" && answer != "miss" }
  }

  /// A synchronous `set`, `remove`, or `clear`. For a `clear`, there is no key.
  struct Write: Sendable {
    let key: Int?
    let at: Moment
    let isSet: Bool
  }

  let freshness: Freshness
  var gets: [Get] = []
  var loads: [Load] = []
  var writes: [Write] = []
  /// The contents of the level after each step, with the time at which the step ended.
  var contents: [(at: Moment, held: [Int: Stamped<Int>])] = []

  init(freshness: Freshness) { self.freshness = freshness }

  /// Returns the creation time of a value, and the time at which the operation that stored it
  /// began.
  func origin(of value: Int) -> (began: Moment, born: Moment?)? {
    if value >= 1000 {
      let load = loads[value - 1000]
      return (load.began, load.ended)
    }
    return writes.first { $0.isSet && $0.at.tick == value }.map { ($0.at, $0.at) }
  }

  /// Returns the tick (the step number) of a key's last write before the given tick.
  func lastWrite(of key: Int, before tick: Int) -> Int? {
    writes.last { ($0.key ?? key) == key && $0.at.tick < tick }?.at.tick
  }

  /// Returns the level's entry for a key after a step.
  func held(_ key: Int, after tick: Int) -> Stamped<Int>? {
    contents.last { $0.at.tick <= tick }?.held[key]
  }

  func stage(_ entry: Stamped<Int>, at moment: Moment) -> Freshness.Stage {
    freshness.stage(of: entry, at: moment.now)
  }

  /// Returns the observed gets and loads next to the results that the law allows. Each dictionary
  /// maps the index of a get or load that violates the law to its allowed result.
  func evidence(gets violations: [Int: String] = [:], loads ofLoads: [Int: String] = [:])
    -> LawEvidence?
  {
    LawEvidence(
      gets.enumerated().map { ("\($0 + 1). get: \(line($1))", violations[$0]) }
        + loads.enumerated().map { ("load \($0): \(line($1))", ofLoads[$0]) })
  }

  private func line(_ get: Get) -> String {
    let entry = get.entry.map { "\($0.value) \(stage($0, at: get.began))" } ?? "nothing"
    return "\(get.key) at \(text(get.began)), when the level held \(entry): \(get.answer)"
      + (get.ended.map { " at \(text($0))" } ?? "") + (get.wasCancelled ? ", cancelled" : "")
  }

  private func line(_ load: Load) -> String {
    "\(load.key) at \(text(load.began)): \(load.answer)"
      + (load.ended.map { " at \(text($0))" } ?? "")
  }

  private func text(_ moment: Moment) -> String {
    "\(moment.tick) (\(Int(LifeRun.start.duration(to: moment.now) / .milliseconds(1))) ms)"
  }
}
