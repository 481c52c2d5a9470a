import StrataVerbs

@Sendable func judgeFresh(_ log: RefreshLog) -> LawEvidence? {
  var (gets, loads): ([Int: String], [Int: String]) = ([:], [:])
  for (index, get) in log.gets.enumerated() {
    guard let entry = get.entry, log.stage(entry, at: get.began) == .fresh else { continue }
    if get.answer != .value(entry.value) || get.ended?.tick != get.began.tick {
      gets[index] = "\(entry.value) immediately"
    }
    for (number, load) in log.loads.enumerated() where load.began.tick == get.began.tick {
      loads[number] = "no load"
    }
  }
  return log.evidence(gets: gets, loads: loads)
}

@Sendable func judgeLively(_ log: RefreshLog) -> LawEvidence? {
  var gets: [Int: String] = [:]
  for (index, get) in log.gets.enumerated() {
    guard let entry = get.entry, log.stage(entry, at: get.began) == .stale else { continue }
    if get.answer != .value(entry.value) || get.ended?.tick != get.began.tick {
      gets[index] = "\(entry.value) immediately"
    }
    let isLoading = log.loads.contains { load in
      load.key == get.key && load.began.tick <= get.began.tick
        && load.ended.map { $0.tick >= get.began.tick } ?? true
    }
    if !isLoading, !log.mayPause(get) { gets[index] = "a refresh of \(get.key)" }
  }
  return log.evidence(gets: gets)
}

@Sendable func judgeErrors(_ log: RefreshLog) -> LawEvidence? {
  var gets: [Int: String] = [:]
  for (index, get) in log.gets.enumerated() {
    guard let entry = get.entry, log.stage(entry, at: get.began) == .staleOnError,
      let end = get.ended
    else { continue }
    if case .failure = get.answer, let held = get.entryAtEnd, log.stage(held, at: end) != .expired {
      gets[index] = "\(held.value), which may still be served"
    }
    let hasFailed = log.loads.contains {
      $0.key == get.key && $0.hasFailed && $0.ended?.tick == end.tick
    }
    if get.answer == .value(entry.value), !hasFailed, !log.mayPause(get) {
      gets[index] = "not \(entry.value): no load has failed"
    }
  }
  return log.evidence(gets: gets)
}

/// The pauses are longer than the programs, so only an answer of the origin ends a pause.
@Sendable func judgePause(_ log: RefreshLog) -> LawEvidence? {
  var (gets, loads): ([Int: String], [Int: String]) = ([:], [:])
  for (index, get) in log.gets.enumerated() where log.lastAnswer(before: get) == "failure" {
    guard let entry = get.entry else { continue }
    let stage = log.stage(entry, at: get.began)
    guard stage == .stale || stage == .staleOnError else { continue }
    if get.answer != .value(entry.value) || get.ended?.tick != get.began.tick {
      gets[index] = "\(entry.value) immediately"
    }
    for (number, load) in log.loads.enumerated()
    where load.began.tick == get.began.tick && load.key == get.key {
      loads[number] = "no load in a pause"
    }
  }
  return log.evidence(gets: gets, loads: loads)
}

func judgeFast(_ log: RefreshLog, needsEntry: Bool) -> LawEvidence? {
  guard log.freshness.failsInPause else { return nil }
  var (gets, loads): ([Int: String], [Int: String]) = ([:], [:])
  for (index, get) in log.gets.enumerated() where log.lastAnswer(before: get) == "failure" {
    guard get.entry.map({ log.stage($0, at: get.began) == .expired }) ?? !needsEntry
    else { continue }
    var hasFailed = false
    if case .failure = get.answer { hasFailed = true }
    if !hasFailed || get.ended?.tick != get.began.tick {
      gets[index] = "the error of the last load, immediately"
    }
    for (number, load) in log.loads.enumerated()
    where load.began.tick == get.began.tick && load.key == get.key {
      loads[number] = "no load in a pause"
    }
  }
  return log.evidence(gets: gets, loads: loads)
}

extension RefreshLog {
  /// Returns the origin's last answer for the key of a get, before this get began. When a load
  /// didn't call the origin, its error isn't an answer. Loads that timed out count as cancelled.
  fileprivate func lastAnswer(before get: Get) -> String? {
    loads.filter {
      $0.key == get.key && $0.answer != "unasked" && ($0.ended?.tick ?? .max) < get.began.tick
    }.max { ($0.ended?.tick ?? 0) < ($1.ended?.tick ?? 0) }?.answer
  }

  /// Whether the key of a get might pause. A cancelled load is a reason, too, because it may have
  /// timed out.
  fileprivate func mayPause(_ get: Get) -> Bool {
    loads.contains {
      $0.key == get.key && ["failure", "cancelled"].contains($0.answer)
        && ($0.ended?.tick ?? .max) < get.began.tick
    }
  }
}

@Sendable func judgeDead(_ log: RefreshLog) -> LawEvidence? {
  let freshness = log.freshness
  let life = freshness.lifetime + max(freshness.staleWhileRevalidate, freshness.staleIfError)
  var gets: [Int: String] = [:]
  for (index, get) in log.gets.enumerated() {
    guard case .value(let value) = get.answer, let end = get.ended else { continue }
    guard let born = log.origin(of: value)?.born else {
      gets[index] = "a value that a set or a load stored"
      continue
    }
    if born.now.duration(to: end.now) >= life, born.tick != end.tick {
      gets[index] = "not \(value), which has expired"
    }
  }
  return log.evidence(gets: gets)
}

@Sendable func judgeOnce(_ log: RefreshLog) -> LawEvidence? {
  var loads: [Int: String] = [:]
  for (number, load) in log.loads.enumerated() {
    for (earlier, other) in log.loads[..<number].enumerated() where other.key == load.key {
      let isUnderWay = other.ended.map { $0.tick > load.began.tick } ?? true
      let write = log.lastWrite(of: load.key, before: load.began.tick + 1)
      if isUnderWay, write.map({ $0 < other.began.tick }) ?? true {
        loads[number] = "no load, because load \(earlier) is in flight"
      }
    }
  }
  return log.evidence(loads: loads)
}

@Sendable func judgeWrites(_ log: RefreshLog) -> LawEvidence? {
  var (gets, loads): ([Int: String], [Int: String]) = ([:], [:])
  func isOvertaken(_ value: Int, _ key: Int, at tick: Int) -> Bool {
    guard let write = log.lastWrite(of: key, before: tick) else { return false }
    return log.origin(of: value).map { $0.began.tick < write } ?? false
  }
  for (index, get) in log.gets.enumerated() {
    guard case .value(let value) = get.answer else { continue }
    if isOvertaken(value, get.key, at: get.began.tick) {
      gets[index] = "not \(value), which a write has overtaken"
    }
  }
  for (moment, held) in log.contents {
    for (key, entry) in held where entry.value >= 1000 {
      if isOvertaken(entry.value, key, at: moment.tick + 1) {
        loads[entry.value - 1000] = "not stored after a write"
      }
    }
  }
  return log.evidence(gets: gets, loads: loads)
}

@Sendable func judgeNone(_ log: RefreshLog) -> LawEvidence? {
  var loads: [Int: String] = [:]
  for (number, load) in log.loads.enumerated() where load.answer != "value" {
    guard let end = load.ended else { continue }
    let write = log.lastWrite(of: load.key, before: end.tick)
    let isOvertaken = write.map { $0 > load.began.tick } ?? false
    let before = log.held(load.key, after: end.tick - 1)
    let lawful = load.answer == "miss" && !isOvertaken ? nil : before
    if log.held(load.key, after: end.tick) != lawful {
      loads[number] = "the level then holds \(lawful.map { "\($0.value)" } ?? "nothing")"
    }
  }
  return log.evidence(loads: loads)
}

@Sendable func judgeEnds(_ log: RefreshLog) -> LawEvidence? {
  var gets: [Int: String] = [:]
  for (index, get) in log.gets.enumerated() where !get.wasCancelled {
    let took = get.ended.map { get.began.now.duration(to: $0.now) }
    if took.map({ $0 > log.freshness.timeout }) ?? true {
      gets[index] = "an answer within \(log.freshness.timeout)"
    }
  }
  return log.evidence(gets: gets)
}

@Sendable func judgeAges(_ log: RefreshLog) -> LawEvidence? {
  var loads: [Int: String] = [:]
  var gets: [Int: String] = [:]
  for (_, held) in log.contents {
    for entry in held.values {
      guard let born = log.origin(of: entry.value)?.born, entry.storedAt != born.now else {
        continue
      }
      if entry.value >= 1000 {
        loads[entry.value - 1000] = "stored with the time of its load"
      } else if let index = log.gets.firstIndex(where: { $0.answer == .value(entry.value) }) {
        gets[index] = "\(entry.value), with the time of its set"
      }
    }
  }
  return log.evidence(gets: gets, loads: loads)
}
