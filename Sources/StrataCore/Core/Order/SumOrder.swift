import Synchronization

/// The state of a sum behind its lock: a `CallOrder`, and the closures of the operations that wait.
///
/// Usually, one atomic load shows that a get can read every level without the lock.
@usableFromInline
package final class SumOrder: Sendable {
  @usableFromInline package typealias Ticket = KeyVersions.Version

  /// A parked write. Its closure calls the levels.
  final class Parked: Sendable {
    let run: @Sendable () -> Rest

    init(_ run: @escaping @Sendable () -> Rest) { self.run = run }
  }

  /// The work that remains for a thread after an operation has called the levels.
  struct Rest: Sendable {
    /// The parked write that may call the levels now.
    var next: Parked?
    /// The gets that may continue.
    var released = Released()
    /// The result of a write that has ended.
    var ended: Joint?
    /// Whether a level has failed.
    var hasFailure = false

    /// Whether a caller or a get waits for the operation.
    var isAwaited: Bool { ended != nil || !released.isEmpty }

    /// Settles the results, and continues the gets in the order in which they were called. When a
    /// callback waits for another one of these promises, that promise's callbacks run first.
    static func callBack(_ rests: [Rest]) {
      var steps: ArraySlice<() -> Void> = []
      for rest in rests {
        if let ended = rest.ended { steps.append { ended.settle() } }
        for (_, get) in rest.released.sorted(by: { $0.key < $1.key }) {
          steps.append { get.settle(.success(())) }
        }
      }
      if steps.count == 1 { return steps[0]() }
      Trampoline.runSteps {
        steps.popFirst()?()
        return !steps.isEmpty
      }
    }
  }

  /// The waiting gets that may continue, by number.
  typealias Released = [Int: Pending<Void>]

  struct State {
    var calls: CallOrder
    fileprivate var parked: [Ticket: Parked] = [:]
    /// The waiting gets, by the write that they wait for, and then by number.
    fileprivate var waiting: [Ticket: [Int: Pending<Void>]] = [:]
    fileprivate var lastWaiting = 0
  }

  /// The sum's current version, and two flags in the lowest bits. Bit 0 is set if a get of the
  /// first level needs the lock, and bit 1 if a get of any level does.
  @usableFromInline let word = Atomic<UInt64>(0)
  let state: Lock<State>
  /// The gets, writes, and back-fills that wait for a level.
  package let work = RunningWork(.steps)

  /// - Parameter levels: The number of levels.
  package init(levels: Int) { state = Lock(State(calls: CallOrder(levels: levels))) }

  /// Whether a get may read every level without the lock.
  @inlinable var isQuiet: Bool { word.load(ordering: .acquiring) & 2 == 0 }

  /// Whether a get may read the first level without the lock.
  @inlinable package var isTopQuiet: Bool { word.load(ordering: .acquiring) & 1 == 0 }

  /// Changes the state, publishes the version, and releases dropped keys outside the lock.
  func update<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, _) = state.withLock { state -> (Result, [CallOrder.HiddenKey]) in
      let result = body(&state)
      let flags: UInt64 = (state.calls.isTopQuiet ? 0 : 1) | (state.calls.isQuiet ? 0 : 2)
      word.store(state.calls.versions.now << 2 | flags, ordering: .releasing)
      defer { if !state.calls.dropped.isEmpty { state.calls.dropped = [] } }
      return (result, state.calls.dropped)
    }
    return result
  }
}

extension SumOrder /* : parked writes */ {
  /// Begins a write. If the write has to be parked, stores the object that `parked` returns.
  ///
  /// - Parameters:
  ///   - load: If the write stores the value of a load, the version at which the load began. For such
  ///     a write, the function returns `nil` if another write to the key has begun since then, or
  ///     hasn't ended.
  ///   - previous: The ticket of the last write to the watched key, or `nil` if it doesn't matter.
  ///     The function returns `nil` if another write to the key has begun since.
  func begin(
    _ hash: Int?, endingLoad load: Ticket? = nil, following previous: Ticket? = nil,
    _ parked: (Ticket) -> Parked
  ) -> Ticket? {
    update { state in
      if let hash, let load, !state.calls.versions.endLoad(hash, since: load) { return nil }
      if let hash, let previous, !state.calls.versions.isLast(previous, of: hash) { return nil }
      let (ticket, mayCall) = state.calls.begin(hash)
      if !mayCall { state.parked[ticket] = parked(ticket) }
      return ticket
    }
  }
}

extension SumOrder {
  /// Passes on the turn of an operation that succeeded immediately in every level. If another
  /// operation waits, or if a key is hidden, does nothing and returns `false`.
  func leaveQuietly(_ hash: Int?, _ role: CallOrder.Role) -> Bool {
    update { state in
      guard state.calls.isQuiet, state.waiting.isEmpty else { return false }
      state.calls.leaveQuietly(hash, role)
      return true
    }
  }

  /// Ends a back-fill that succeeded immediately in every level. See `leaveQuietly`.
  @usableFromInline
  func endFillQuietly(_ hash: Int) -> Bool { leaveQuietly(hash, .fill) }
}

extension SumOrder.State {
  /// Removes and returns a parked write.
  mutating func unpark(_ ticket: SumOrder.Ticket?) -> SumOrder.Parked? {
    ticket.flatMap { parked.removeValue(forKey: $0) }
  }

  /// Drops a parked write, and returns the gets that waited for it.
  mutating func release(parked ticket: SumOrder.Ticket) -> SumOrder.Released {
    if let write = parked.removeValue(forKey: ticket) { calls.dropped.append(write) }
    return release(ticket)
  }

  /// Returns the gets that waited for a write.
  mutating func release(_ ticket: SumOrder.Ticket) -> SumOrder.Released {
    waiting.isEmpty ? [:] : waiting.removeValue(forKey: ticket) ?? [:]
  }
}

extension SumOrder /* : gets */ {
  /// Returns a promise that settles when a get may read the levels, or `nil` if it may read them
  /// now. When the get is cancelled, it leaves no state behind.
  @usableFromInline
  package func turn(ofGet hash: Int) -> Promise<Void>? {
    guard !isTopQuiet else { return nil }
    let get = Pending<Void>()
    let place = update { state -> (write: Ticket, number: Int)? in
      guard let write = state.calls.detachedWrite(hash) else { return nil }
      state.lastWaiting += 1
      state.waiting[write, default: [:]][state.lastWaiting] = get
      return (write, state.lastWaiting)
    }
    guard let place else { return nil }
    get.onCancel { [self] in
      _ = update { $0.waiting[place.write]?.removeValue(forKey: place.number) }
    }
    return Promise(.pending(get))
  }

  /// The number of gets that wait for a write.
  var waitingGets: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  /// See `CallOrder.skip(_:in:)`.
  package func skip(_ hash: Int, in level: Int) -> (isAbsent: Bool, keys: [CallOrder.HiddenKey])? {
    isQuiet ? nil : state.withLock { $0.calls.skip(hash, in: level) }
  }

  /// See `CallOrder.hiddenKeys(_:in:)`.
  func hiddenKeys(_ hash: Int?, in level: Int) -> [CallOrder.HiddenKey] {
    state.withLock { $0.calls.hiddenKeys(hash, in: level) }
  }

  /// See `KeyVersions.watch(_:since:)`.
  func watch(_ hash: Int, since version: Ticket) -> Bool {
    state.withLock { $0.calls.versions.watch(hash, since: version) }
  }

  /// See `KeyVersions.watch(_:)`.
  package func watch(_ hash: Int) -> Ticket { state.withLock { $0.calls.versions.watch(hash) } }

  package func unwatch(_ hash: Int) { state.withLock { $0.calls.versions.unwatch(hash) } }
}

extension SumOrder /* : back-fills */ {
  /// Begins a back-fill. Returns `nil` if the key may have been written since the get began.
  ///
  /// The result contains the ticket, and whether the back-fill may call every level. After the
  /// caller has called the levels, it must call `leave`.
  @usableFromInline
  func beginFill(_ hash: Int, since version: Ticket) -> (ticket: Ticket, ofAll: Bool)? {
    update { state in
      let ofAll = state.calls.mayFillAll
      return state.calls.fill(hash, since: version).map { ($0, ofAll) }
    }
  }

  @usableFromInline
  func mayFill(_ hash: Int, in level: Int) -> Bool {
    state.withLock { $0.calls.mayFill(hash, in: level) }
  }
}
