import Strata

/// What was seen of a run: what was asked, what was loaded, and when; a tick is a step.
struct RefreshLog: Sendable {
  typealias Moment = (tick: Int, now: TimeSource.Instant)

  /// A get, and what the level held when it began and when it ended.
  struct Get: Sendable {
    let key: Int
    let began: Moment
    let entry: Stamped<Int>?
    var ended: Moment?
    var answer = Observation.Answer.none
    var entryAtEnd: Stamped<Int>?
    var wasCancelled = false
  }

  /// A load of the origin: its value, if any, is 1000 and its number.
  struct Load: Sendable {
    let key: Int
    let began: Moment
    var ended: Moment?
    var answer = "no answer"

    var hasFailed: Bool { ended != nil && answer != "value" && answer != "miss" }
  }

  /// A set, remove or clear, done at once; of all keys if `key` is `nil`.
  struct Write: Sendable {
    let key: Int?
    let at: Moment
    let isSet: Bool
  }

  let freshness: Freshness
  var gets: [Get] = []
  var loads: [Load] = []
  var writes: [Write] = []
  /// What the level held after each step, and the moment.
  var contents: [(at: Moment, held: [Int: Stamped<Int>])] = []

  init(freshness: Freshness) { self.freshness = freshness }

  /// When a value was born, and when what brought it had begun.
  func origin(of value: Int) -> (began: Moment, born: Moment?)? {
    if value >= 1000 {
      let load = loads[value - 1000]
      return (load.began, load.ended)
    }
    return writes.first { $0.isSet && $0.at.tick == value }.map { ($0.at, $0.at) }
  }

  /// The last write of a key before a tick.
  func lastWrite(of key: Int, before tick: Int) -> Int? {
    writes.last { ($0.key ?? key) == key && $0.at.tick < tick }?.at.tick
  }

  /// What the level held of a key after a step.
  func held(_ key: Int, after tick: Int) -> Stamped<Int>? {
    contents.last { $0.at.tick <= tick }?.held[key]
  }

  func stage(_ entry: Stamped<Int>, at moment: Moment) -> Freshness.Stage {
    freshness.stage(of: entry, at: moment.now)
  }

  /// The facts with complaints about gets and loads, by their place.
  func evidence(gets complaints: [Int: String] = [:], loads ofLoads: [Int: String] = [:])
    -> Evidence?
  {
    Evidence(
      gets.enumerated().map { ("\($0 + 1). get: \(line($1))", complaints[$0]) }
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
