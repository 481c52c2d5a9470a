extension LawDomain {
  /// Programs that read each of eight keys at most once. So the key of a level's call shows a law
  /// which get has made the call.
  static var once: LawDomain {
    LawDomain().with {
      $0.levels = 1
      $0.keys = 0..<8
      $0.stored = 0..<8
      $0.asksOnce = true
      $0.writes = false
      $0.steps = 20
    }
  }
}

/// Finds gets that called the level after they had settled, for example after a cancellation.
@Sendable func violationsOfAskingLate(_ program: Program, _ seen: LawObservation) -> Violations {
  var violations = Violations()
  for operation in seen.operations {
    guard let end = operation.settled else { continue }
    for event in seen.histories[0] where event.kind == .asked && event.call == operation.action {
      if event.when > end { violations.level(0, "no \(event.call) at \(event.when)") }
    }
  }
  return violations
}

/// The time on the manual clock before and after each step of a program.
struct StepTimes {
  private let advances: [Int]

  init(_ program: Program) {
    advances = program.steps.map { step in
      if case .advance(let milliseconds) = step.action { milliseconds } else { 0 }
    }
  }

  /// Returns the time on the manual clock before a step, in milliseconds.
  func before(_ moment: Int) -> Int { advances.prefix(max(0, moment - 1)).reduce(0, +) }

  /// Returns the time on the manual clock after a step, in milliseconds.
  func after(_ moment: Int) -> Int { advances.prefix(max(0, moment)).reduce(0, +) }

  /// The time on the manual clock at the end of the program, in milliseconds.
  var total: Int { advances.reduce(0, +) }
}
