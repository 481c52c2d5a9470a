import StrataVerbs

/// The measured speed of a level's operations. This speed determines the longest delay before a law
/// interrupts a client.
final class Tempo: Sendable {
  private struct State {
    /// The average processor time of a step, in nanoseconds.
    var nanoseconds = 0.0
    /// The fraction of steps that make their thread wait.
    var waits = 1.0
  }

  private let state = Lock(State())

  /// Returns the processor time for a number of steps, in nanoseconds, or `nil` if most steps make
  /// their thread wait.
  ///
  /// A law interrupts clients to make their operations overlap. But if most steps make their thread
  /// wait, other clients run in the meantime, so operations overlap anyway. Also, the signal of an
  /// interruption can end a system call early, and a level might report that as an error.
  func time(of steps: Int) -> Int? {
    state.withLock { $0.waits > 0.5 ? nil : Int($0.nanoseconds * Double(steps)) }
  }

  /// Runs the steps of a client. At random, interrupts the client once, lets it pause between
  /// steps, or leaves it undisturbed.
  func run(steps: Int, pace: UInt64, _ body: (inout Pauses) -> Void) {
    // Chooses a different interruption point for each run of the same program.
    var random = SeededGenerator(seed: pace ^ UInt64.random(in: 0 ... .max))
    let role = Int.random(in: 0..<8, using: &random)
    var none = Pauses(none: ())
    defer { Interruption.end() }
    if role < 6, let time = time(of: steps) {
      let delay = Int.random(in: 0...max(1000, time), using: &random)
      Interruption.once(after: delay) { body(&none) }
    } else if role == 6 {
      let before = Interruption.costs
      body(&none)
      let after = Interruption.costs
      note(steps, after.nanoseconds - before.nanoseconds, after.waits - before.waits)
    } else {
      var pauses = Pauses(pace, steps: steps)
      body(&pauses)
    }
  }

  private func note(_ steps: Int, _ nanoseconds: Int, _ waits: Int) {
    let (time, share) = (
      Double(nanoseconds) / Double(max(1, steps)), Double(waits) / Double(max(1, steps))
    )
    state.withLock { state in
      let isFirst = state.nanoseconds == 0
      state.nanoseconds = isFirst ? time : 0.75 * state.nanoseconds + 0.25 * time
      state.waits = isFirst ? share : 0.75 * state.waits + 0.25 * share
    }
  }
}
