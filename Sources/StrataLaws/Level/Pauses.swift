import Foundation

/// The pauses of a client between its steps. Pauses help to reveal races.
///
/// About half of the clients busy-wait before random steps, and the rest run at full speed. Some
/// clients also pause once for a long time. Meanwhile, other clients overtake them, as if the
/// paused clients had a low priority (PCT: Burckhardt et al., 2010).
struct Pauses {
  private var random: SeededGenerator
  private let lowStep: Int?
  private let isUneven: Bool
  private var step = 0

  init(_ seed: UInt64, steps: Int) {
    random = SeededGenerator(seed: seed)
    isUneven = Int.random(in: 0..<2, using: &random) == 0
    lowStep =
      Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 0...steps, using: &random) : nil
  }

  /// Creates an instance that never pauses.
  init(none: Void) {
    (random, lowStep, isUneven) = (SeededGenerator(seed: 0), nil, false)
  }

  /// Pauses before some steps.
  mutating func pause() {
    step += 1
    if step == lowStep { return Self.spin(microseconds: 200) }
    guard isUneven else { return }
    // Spins, because a thread that yields may have to wait for a whole time slice of each busy
    // process.
    guard Int.random(in: 0..<3, using: &random) == 0 else { return }
    Self.spin(microseconds: UInt64.random(in: 1...20, using: &random))
  }

  /// Keeps the thread busy.
  static func spin(microseconds: UInt64) {
    let end = DispatchTime.now().uptimeNanoseconds + microseconds * 1000
    while DispatchTime.now().uptimeNanoseconds < end {}
  }
}
