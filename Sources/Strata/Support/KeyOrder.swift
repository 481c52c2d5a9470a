import Synchronization

/// Keeps the operations of one key in the order of their calls where they take time to prepare.
///
/// A write that is not given to its level yet holds back the later writes and gets of its key, and
/// nothing else. While no write is on its way, an operation costs one atomic load.
@usableFromInline
final class KeyOrder<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let writes = Atomic<Int>(0)
  private let state = Lock((turns: Turns(), lastID: 0))

  /// Whether no write is on its way: a get need not wait then, nor make what waits.
  @inlinable var isQuiet: Bool { writes.load(ordering: .acquiring) == 0 }

  /// How many gets wait for a write.
  var waitingGets: Int { state.withLock { $0.turns.visitors } }

  /// Runs a get after the writes of its key that were called before it; one that is cancelled
  /// before leaves nothing behind.
  @usableFromInline
  func read<Value>(
    _ key: Key, _ work: @escaping @Sendable () -> Promise<Value>
  ) -> Promise<Value> {
    guard !isQuiet else { return work() }
    let gate = Pending<Void>()
    let hash = key.hashValue
    let visit = state.withLock { state in
      state.turns.visit(hash, onlyDelayed: false) { gate.settle(.success(())) }
    }
    guard let visit else { return work() }
    gate.stop(at: 1) { _ = self.state.withLock { $0.turns.leave(visit) } }
    return Promise<Void>(.pending(gate)).flatMap { work() }
  }

  /// Gives a write to its level once it is prepared, at once if that is so and none is on its way.
  ///
  /// - Parameter key: The key, or `nil` for a write of all keys.
  func write<Prepared>(
    _ key: Key?, preparing prepared: Promise<Prepared>,
    _ work: @escaping @Sendable (Prepared) -> Promise<Void>
  ) -> Promise<Void> {
    if prepared.outcome != nil, writes.load(ordering: .acquiring) == 0 {
      return prepared.flatMap(work)
    }
    let preparation = prepared.join { _ in }
    return enter(key) { Self.giving(prepared, to: work) }.onCancel { preparation?.withdraw() }
  }

  /// Runs a write when those of its key before it have settled.
  ///
  /// One that is cancelled while it waits is never begun.
  func write(_ key: Key?, _ work: @escaping @Sendable () -> Promise<Void>) -> Promise<Void> {
    enter(key) {
      let write = work()
      return (write, write)
    }
  }

  /// Runs a write that begins later, and that may be under way when it is cancelled.
  func write(_ key: Key?, beginning work: @escaping @Sendable () -> Begun) -> Promise<Void> {
    enter(key, work)
  }

  /// Runs a write in a task of its own when those of its key before it have ended.
  ///
  /// One that is cancelled settles at once, and its task may go on to write: the next one waits.
  func write(
    _ key: Key?, task work: @escaping @Sendable () async throws -> Void
  ) -> Promise<Void> {
    enter(key) {
      let end = Pending<Void>()
      return (Promise(running: work) { end.settle(.success(())) }, Promise(.pending(end)))
    }
  }

  /// Gives on what is prepared, unless the write is cancelled before: whichever comes first.
  ///
  /// One that is cancelled while its level is given it ends when the level has it, and not before.
  private static func giving<Prepared>(
    _ prepared: Promise<Prepared>, to work: @escaping @Sendable (Prepared) -> Promise<Void>
  ) -> Begun {
    let (end, isDecided) = (Pending<Void>(), Lock(false))
    let isFirst: @Sendable () -> Bool = {
      isDecided.withLock { isDecided in
        defer { isDecided = true }
        return !isDecided
      }
    }
    let answer = prepared.flatMap { prepared -> Promise<Void> in
      guard isFirst() else { return .cancelled }
      return work(prepared).observed { _ in end.settle(.success(())) }
    }
    answer.observed { _ in if isFirst() { end.settle(.success(())) } }
    return (answer, Promise(.pending(end)))
  }

  /// A write that has begun: its answer, and when the next one may begin.
  typealias Begun = (answer: Promise<Void>, end: Promise<Void>)

  private func enter(_ key: Key?, _ work: @escaping @Sendable () -> Begun) -> Promise<Void> {
    let hash = key?.hashValue
    let result = Pending<Void>()
    writes.add(1, ordering: .acquiringAndReleasing)
    let (id, mayBegin) = state.withLock { state in
      state.lastID += 1
      let id = state.lastID
      let start: Turns.Work = { self.begin(id, of: hash, result, work) }
      let mayBegin = hash.map { state.turns.take(id, of: $0, start) }
      return (id, mayBegin ?? state.turns.takeOfAll(id, start))
    }
    if mayBegin { begin(id, of: hash, result, work) }
    return result.promise
  }

  private func begin(
    _ id: Int, of hash: Int?, _ result: Pending<Void>, _ work: @Sendable () -> Begun
  ) {
    let begun: Begun = result.outcome == nil ? work() : (Promise(), Promise())
    result.follow(begun.answer, at: 1)
    begun.end.observed { _ in
      let next = self.state.withLock { $0.turns.finish(id, of: hash) }
      self.writes.subtract(1, ordering: .acquiringAndReleasing)
      next.begin()
    }
  }
}
