import StrataVerbs

extension Laws {
  /// A function that adds two caches. Their sum waits for each of them for at most the given number
  /// of milliseconds.
  public typealias BoundedSum =
    @Sendable (
      _ upper: Cache<Int, Int>, _ lower: Cache<Int, Int>, _ milliseconds: Int
    ) -> Cache<Int, Int>

  /// The laws of sums whose levels hang, either forever or for a limited time.
  public static var patience: Laws {
    patience { upper, lower, bound in (upper + lower).awaitedInSum(atMost: .milliseconds(bound)) }
  }

  /// Returns laws that check your own sum, which must limit the time that it waits for each level.
  public static func patience(_ sum: @escaping BoundedSum) -> Laws {
    let hanging = LawDomain().with {
      $0.injectsFaults = false
      $0.hangs = true
      $0.hasDistinctValues = true
      $0.cancels = false
      $0.levels = 2
      $0.keys = 0..<1
      $0.stored = 0..<1
      $0.steps = 30
    }
    let neighboring = hanging.with {
      $0.hangsInOneKey = true
      $0.keys = 0..<2
      $0.stored = 0..<2
    }
    let recovering = hanging.with { $0.endsAtRest = true }
    let build: LawBuild = { sum($0[0].clocked(by: $0.time), $0[1].clocked(by: $0.time), 3) }
    return Laws(
      "patience",
      [
        Law(
          "sum.patience",
          "write(a + b): at most the bound; get(a + b): at most one bound for each level",
          "No operation waits longer than its bound for a level that hangs.", in: hanging,
          of: build,
          violationsOfPatience),
        Law(
          "sum.unknown", "w; get == get after w, or a failure",
          "After a write has settled or failed, no get returns an older value, even if the hanging "
            + "level stores the written value later or fails.", in: recovering, of: build,
          violationsOfUnknownValues),
        Law(
          "sum.neighbors", "hang of k: get(j) and set(j) don't wait",
          "A level that hangs for one key doesn't delay operations on another key.",
          in: neighboring, of: build, violationsOfNeighbors),
        Law(
          "sum.recovery", "a at rest; get(a + b); get(a + b): a is called",
          "After all operations of a level have settled, at most one get skips that level.",
          in: recovering, of: build, violationsOfRecovery),
      ])
  }
}

/// Finds operations that don't settle within their time bounds.
@Sendable private func violationsOfPatience(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  let clock = StepTimes(program)
  for (index, operation) in seen.operations.enumerated() {
    var bound = 3
    if case .get = operation.action { bound = 3 * program.scripts.count }
    let end = operation.settled.map(clock.before) ?? clock.total
    if end - clock.after(operation.began) >= bound {
      violations.operation(index, "\(operation.step). \(operation.action): settled")
    }
  }
  return violations
}

/// Finds gets that return an old value after a newer write has settled, even if that write failed.
@Sendable func violationsOfUnknownValues(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  let writes = Writes(program, seen)
  for (index, operation) in seen.operations.enumerated() {
    guard case .get(let key) = operation.action, case .value = operation.answer else { continue }
    let lawful = writes.lawful(key, from: operation.began, to: operation.settled ?? .max)
    if !lawful.contains(operation.answer) {
      let text = lawful.map(\.description).joined(separator: " or ")
      violations.operation(index, "\(operation.step). get \(key): \(text) or a failure")
    }
  }
  return violations
}

/// Finds operations on the key 1 that don't settle immediately, although the levels hang only for
/// the key 0.
@Sendable private func violationsOfNeighbors(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  for (index, operation) in seen.operations.enumerated() {
    switch operation.action {
    case .get(0), .set(0, _), .remove(0), .clear: continue
    default: break
    }
    if operation.settled != operation.began {
      violations.operation(index, "\(operation.step). \(operation.action): settled immediately")
    }
  }
  return violations
}

/// Finds a last get that skips the upper level, although all operations of that level have settled.
@Sendable private func violationsOfRecovery(
  _ program: Program, _ seen: LawObservation
) -> Violations {
  var violations = Violations()
  guard program.steps.suffix(Step.atRest.count) == Step.atRest[...],
    let get = seen.operations.last
  else { return violations }
  let isCalled = seen.histories[0].contains {
    $0.kind == .asked && $0.call == get.action && $0.when >= get.began
  }
  if !isCalled { violations.level(0, "\(get.action) at \(get.began)") }
  return violations
}

extension Step {
  /// The last four steps of a program whose domain has `endsAtRest`: two gets of the key 0. Before
  /// each of them, all levels settle their operations, so the second get must call the upper level
  /// again.
  static let atRest = [Step(.rest), Step(.get(0)), Step(.rest), Step(.get(0))]
}
