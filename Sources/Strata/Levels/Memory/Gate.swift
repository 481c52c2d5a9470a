import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Guards a state that is held for a moment only, and mostly free.
///
/// Who finds it free is in with one atomic step and out with a plain store: 7 ns, where a mutex
/// takes
/// 20. Who has to wait takes turns by a lock, so that no more than one thread ever looks again and
/// again while the others sleep.
///
/// No user code may run inside, as with a `Lock`. What is read of the state and is an object must
/// be moved out or retained under another lock as well, as the optimiser sees through the way out.
@usableFromInline
final class Gate<State>: @unchecked Sendable {  // The state is reached by who is in alone.
  private let isTaken = Atomic(false)
  private let turn = Lock(())
  private let state: UnsafeMutablePointer<State>

  init(_ state: State) {
    self.state = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<State>.size, alignment: 64
    ).initializeMemory(as: State.self, to: state)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Goes in if nobody is, until `leave`; `nil` if somebody is.
  @usableFromInline
  func enterIfFree() -> UnsafeMutablePointer<State>? {
    isTaken.compareExchange(
      expected: false, desired: true, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged ? state : nil
  }

  @usableFromInline
  func leave() { isTaken.store(false, ordering: .releasing) }

  /// Runs `body` with the state while no other thread is in; waits until it may.
  @inlinable
  func withState<Result>(_ body: (inout State) -> Result) -> Result {
    let state = enter()
    defer { leaveTurn() }
    return body(&state.pointee)
  }

  @usableFromInline
  func enter() -> UnsafeMutablePointer<State> {
    turn.take()
    var looks = 0
    while true {
      if let state = enterIfFree() { return state }
      looks += 1
      Gate.pause(after: looks)
    }
  }

  @usableFromInline
  func leaveTurn() {
    leave()
    turn.giveBack()
  }

  /// Who is in is so for less than a microsecond, unless its thread was stopped there: let it run.
  private static func pause(after looks: Int) {
    if looks > 200 {
      usleep(50)
    } else if looks > 20 {
      sched_yield()
    }
  }
}
