/// A small program over a few levels, of which `OrderExplorer` visits every interleaving.
///
/// The text "s0! g0;c" is a program of two clients: the first sets the key 0, waits for the end of
/// the `set`, and gets the key. The second client clears. `r` is a removal.
struct OrderScope {
  enum Kind { case set, remove, clear, get }

  struct Step {
    let kind: Kind
    let key: Int
    /// Whether the client waits for the end of the step.
    let awaits: Bool
    /// The number of a write, from 2. The number is also the value of a `set`.
    let id: Int
  }

  let name: String
  private(set) var program: [[Step]] = []
  /// By the number of a write, its key, or -1 for a clear.
  private(set) var keyOfWrite = [0, 0]
  var levels = 2
  var keys = 1
  /// The levels that answer immediately.
  var sync: Set<Int> = []
  /// The levels that may forget a value at any time.
  var evicts: Set<Int> = []
  /// How often a level may fail, a write may be late, and a call may block forever.
  var (failures, lates, blocks) = (0, 0, 0)
  /// Whether the answers of levels take time to arrive.
  var delays = false
  var sameHash = false
  /// The number of changes that unwatched keys are compared with.
  var changes = 64
  var capacity = 10_000
  /// Whether a level may lose a value that it was given only by an eviction. Clears and equal hashes
  /// may lose further values.
  var keeps = false
  /// Whether gets share their loads, as in a pool above the sum.
  var pools = false
  /// A fault planted in the driver or in the order.
  var fault: OrderFault?

  init(_ name: String, _ text: String, _ change: (inout OrderScope) -> Void = { _ in }) {
    self.name = name
    var id = 2
    for client in text.split(separator: ";") {
      var steps: [Step] = []
      for word in client.split(separator: " ") {
        let kind: Kind =
          switch word.first {
          case "s": .set
          case "r": .remove
          case "c": .clear
          default: .get
          }
        let key = kind == .clear ? -1 : word.dropFirst().first?.wholeNumberValue ?? 0
        steps.append(
          Step(kind: kind, key: key, awaits: word.last == "!", id: kind == .get ? 0 : id))
        if kind != .get {
          keyOfWrite.append(key)
          id += 1
        }
      }
      program.append(steps)
    }
    change(&self)
  }

  func planting(_ fault: OrderFault) -> OrderScope {
    var scope = self
    scope.fault = fault
    return scope
  }
}

/// A deliberate mistake in the use of `CallOrder`. The explorer must find each of them.
enum OrderFault: CaseIterable {
  /// A back-fill is stored although its key was written since the get began.
  case fillIgnoresWrites
  /// A get doesn't wait for a write whose caller has returned.
  case getNeverWaits
  /// A get waits only for parked writes, and not for one that is calling the levels.
  case getWaitsOnlyForParked
  /// A failed write leaves its key visible.
  case failureIsForgiven
  /// A late write leaves its key visible.
  case lateIsForgiven
  /// A write that was dropped leaves its key visible.
  case expiredIsForgiven
  /// A get reads a hidden level.
  case getReadsHidden
  /// A write that succeeds shows another key with the same hash, too.
  case hashShows
  /// A clear doesn't outrun the writes that are calling the levels.
  case clearOutrunsNothing
  /// An earlier write that succeeds late shows a key that a later write has hidden.
  case successShowsLater
  /// A removal runs without the turn of its key.
  case removalWithoutTurn
  /// A pool joins a load that began before a write.
  case poolIgnoresWrites
  /// A write changes no version when it has called its levels.
  case leaveChangesNothing
  /// A level that is hidden as a whole is never cleared.
  case neverClears
  /// A level is called again although it hasn't settled a back-fill of the key.
  case fillsTwice
}
