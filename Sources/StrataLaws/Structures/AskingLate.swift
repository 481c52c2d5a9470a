extension Domain {
  /// Programs that ask for each of eight keys once at most, so that a level tells whose get it is.
  static var once: Domain {
    Domain().with {
      $0.levels = 1
      $0.keys = 0..<8
      $0.stored = 0..<8
      $0.asksOnce = true
      $0.writes = false
      $0.steps = 20
    }
  }
}

/// A get that asked its level after it had ended.
@Sendable func complaintsOfAskingLate(_ program: Program, _ seen: Observation) -> Complaints {
  var complaints = Complaints()
  for operation in seen.operations {
    guard let end = operation.settled else { continue }
    for event in seen.histories[0] where event.kind == .asked && event.call == operation.action {
      if event.when > end { complaints.level(0, "no \(event.call) at \(event.when)") }
    }
  }
  return complaints
}

/// The time on the clock of a program, of which a moment is a step.
struct Clock {
  private let advances: [Int]

  init(_ program: Program) {
    advances = program.steps.map { step in
      if case .advance(let milliseconds) = step.action { milliseconds } else { 0 }
    }
  }

  /// The milliseconds that had passed when a moment began.
  func before(_ moment: Int) -> Int { advances.prefix(max(0, moment - 1)).reduce(0, +) }

  /// The milliseconds that had passed when a moment ended.
  func after(_ moment: Int) -> Int { advances.prefix(max(0, moment)).reduce(0, +) }

  /// The milliseconds of the whole program.
  var total: Int { advances.reduce(0, +) }
}
