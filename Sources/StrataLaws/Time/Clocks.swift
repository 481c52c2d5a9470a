import StrataVerbs

extension Laws {
  /// A function that creates a time source from a wall clock and a monotonic clock.
  package typealias ClockBuild =
    @Sendable (
      _ wall: @escaping @Sendable () -> TimeSource.Instant,
      _ elapsed: @escaping @Sendable () -> Duration
    ) -> TimeSource

  /// Returns the laws of a time source that advances with a monotonic clock: changes to the wall
  /// clock must not affect it.
  package static func clock(_ make: @escaping ClockBuild) -> Laws {
    Laws(
      "clock",
      [
        Law(
          "clock.running", "now(after p) == now + p",
          "Setting the wall clock has no effect on the time source of a running process.",
          draw: { ClockTrial(&$0) },
          judge: { trial in
            let seen = trial.seen(by: make)
            return LawEvidence(
              zip(seen, trial.lawful).map { seen, lawful in
                ("\(seen)", seen == lawful ? nil : "\(lawful)")
              })
          })
      ])
  }
}

/// A random sequence of elapsed times and changes to the wall clock, in seconds.
private struct ClockTrial: Trial {
  enum Step: Equatable { case pass(Int), set(by: Int) }

  var steps: [Step]

  init(_ random: inout SeededGenerator) {
    steps = (0..<Int.random(in: 1...8, using: &random)).map { _ in
      let seconds = Int.random(in: 1...4000, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return .set(by: seconds)
      case 1: return .set(by: -seconds)
      default: return .pass(seconds)
      }
    }
  }

  var simpler: [ClockTrial] {
    withoutEach(\.steps)
  }

  var size: Int { steps.count }
  var lines: [String] { steps.enumerated().map { "\($0 + 1). \($1)" } }

  /// The total elapsed time after each step.
  var lawful: [Duration] {
    var passed = 0
    return steps.map { step in
      if case .pass(let seconds) = step { passed += seconds }
      return .seconds(passed)
    }
  }

  func seen(by make: Laws.ClockBuild) -> [Duration] {
    let start = TimeSource.Instant(sinceEpoch: .seconds(1_000_000_000))
    let clocks = Lock((wall: start, elapsed: Duration.seconds(77)))
    let time = make({ clocks.withLock { $0.wall } }, { clocks.withLock { $0.elapsed } })
    let first = time.now()
    return steps.map { step in
      clocks.withLock { clocks in
        switch step {
        case .pass(let seconds):
          clocks.wall = clocks.wall.advanced(by: .seconds(seconds))
          clocks.elapsed += .seconds(seconds)
        case .set(let seconds): clocks.wall = clocks.wall.advanced(by: .seconds(seconds))
        }
      }
      return first.duration(to: time.now())
    }
  }
}
