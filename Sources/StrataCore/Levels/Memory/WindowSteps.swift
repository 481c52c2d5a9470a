/// Decides by how many entries a near miss changes the target for a memory level's window.
///
/// A *near miss* is the insertion of a key soon after its eviction. It shows that the queue that
/// evicted the key was too small. Where the window has the right size, both queues have near misses,
/// and each moves the target by only one entry. But when a working set moves, for example, almost
/// all near misses come from the window. It should then become much larger, which would take too
/// long in steps of one entry. So while one queue has several times as many near misses as the other
/// one, its near misses move the target by eight entries.
///
/// Some traffic has many near misses in a short time, for example when a scan turns back. So that the
/// window doesn't grow too far, the sum of its long steps in one interval is limited.
struct WindowSteps {
  // The numbers of recent near misses, in sixteenths.
  private var window = 0
  private var main = 0
  private var windowStep = WindowSteps.short
  private var mainStep = WindowSteps.short
  private var growth = 0.0  // The sum of the window's long steps since the last update.

  private static var one: Int { 16 }
  private static var short: Double { 1 }
  /// With twice this length, the window would often become too large for some traffic, and the hit
  /// ratio of that traffic would fall by six percentage points.
  private static var long: Double { 8 }
  /// The factors by which a queue's near misses must outnumber those of the other queue. The window
  /// shrinks more readily than it grows, because a window that is too large usually costs more hits
  /// than one that is too small.
  private static var requiredRatios: (window: Int, main: Int) { (6, 3) }

  /// Counts a near miss. Returns the change of the target.
  ///
  /// - Parameter limit: The sum of the window's steps between two updates from which on they are
  ///   short.
  mutating func countNearMiss(wasMain: Bool, limit: Double) -> Double {
    if wasMain {
      main &+= WindowSteps.one
      return -mainStep
    }
    window &+= WindowSteps.one
    guard windowStep > WindowSteps.short, growth < limit else { return WindowSteps.short }
    growth += windowStep
    return windowStep
  }

  /// Chooses the steps for the near misses until the next call. The caller calls this function after
  /// every interval of insertions. Each call reduces all counts by a sixteenth, so that recent near
  /// misses weigh more than older ones.
  mutating func update() {
    growth = 0
    window &-= window / 16
    main &-= main / 16
    let ratios = WindowSteps.requiredRatios
    windowStep = WindowSteps.step(for: window, against: ratios.window &* (main &+ WindowSteps.one))
    mainStep = WindowSteps.step(for: main, against: ratios.main &* (window &+ WindowSteps.one))
  }

  /// Returns the step of a queue, given its near misses and the number that is required for a long
  /// step. Because one is added to the near misses of the other queue, a few aren't enough.
  private static func step(for own: Int, against required: Int) -> Double {
    own >= required ? long : short
  }
}
