extension Cache {
  /// Returns a cache that limits the number of concurrent gets. Additional gets wait for a permit:
  /// urgent ones first, and gets of the same priority in the order in which they were called.
  ///
  /// When a get is cancelled while it waits, it leaves the queue and doesn't reach the cache. When
  /// it's cancelled while it runs, it frees its permit. There's one exception: if it runs an async
  /// function directly below, the permit is free only when the function has returned. So a function
  /// that ignores its cancellation, for example after a time limit around this cache, still counts.
  ///
  /// Writes and memory warnings don't need a permit. Beware of a get that calls this cache
  /// recursively, because it keeps its permit during the nested call. With too few permits, it can
  /// wait for itself forever, unless a time limit around the queue ends the wait.
  ///
  /// Verbs apply in the order in which they are written. So a time limit before `limited` begins
  /// when a get receives its permit, and a time limit after `limited` includes the wait:
  ///
  ///     let perRequest = network.timingOut(after: .seconds(5)).limited(toConcurrentGets: 4)
  ///     let perGet = network.limited(toConcurrentGets: 4).timingOut(after: .seconds(5))
  ///
  /// Under overload, an unlimited queue would grow until every answer is late. So a get that is
  /// called while the queue is full fails immediately with
  /// ``CacheError/overloaded(stage:waiting:)``.
  ///
  ///     let found = memory + network.limited(toConcurrentGets: 4).pooled()
  ///
  /// The priority of a get is that of the task that calls it. So a prefetch in a task of the priority
  /// `.background` never delays the rows on the screen by more than the gets that already run.
  ///
  /// - Parameters:
  ///   - count: The maximum number of concurrent gets. Below one, it counts as one.
  ///   - queue: The maximum number of gets that wait for a permit. The default is 10,000. Choose
  ///     about as many as the origin answers in the time that a caller waits.
  ///   - priority: A closure that returns the priority of a get that must wait, on the caller's thread.
  ///     The default, `nil`, takes the priority of the current task.
  /// - Complexity: O(log *n*) in the number of waiting gets. Hits enter two short critical sections and don't allocate.
  /// - Law: `a.limited(toConcurrentGets: .max) == a`, and at most `count` gets run at the same
  ///   time. See `limit.transparency`, `limit.bound`, `limit.order`, and the other laws of
  ///   `Laws.limit`, checked by `LimitLaws`.
  public func limited(
    toConcurrentGets count: Int, queue: Int = 10_000,
    priority: (@Sendable (Key) -> TaskPriority)? = nil
  ) -> Cache {
    let limiter = ConcurrencyLimiter(max(1, count), queue: max(0, queue))
    var arguments: CachePlan.Arguments = ["toConcurrentGets": .count(count)]
    if queue != 10_000 { arguments["queue"] = .count(queue) }
    let plan = plan
    return transforming(.verb(plan, "limited", arguments)) { cache, reporter in
      var result = cache.operations
      let get = result.get
      result.get = { key in
        guard !limiter.take() else { return limiter.run { get(key) } }
        let start = reporter?.now()
        return limiter.wait(priority?(key) ?? Task.currentPriority) {
          reporter?.report(.wait, key, since: start, Promise<Void>.Outcome.success(()))
          return get(key)
        } refused: {
          CacheError.overloaded(stage: plan.stage, waiting: limiter.longest)
        }
      }
      return result
    }
  }
}

/// The permits for gets, and the queue of the gets that wait for a permit.
///
/// No permit is free while a get is waiting, because each get that ends passes its permit to the
/// next one.
final class ConcurrencyLimiter: Sendable {
  private struct State {
    var free: Int
    var end = 0  // The number of the next waiting get.
    /// The numbers of the waiting gets by priority, the most urgent last. Cancelled gets stay in a
    /// queue until their turn.
    var queues: [(priority: UInt8, numbers: Deque)] = []
    var waiters: [Int: @Sendable () -> Void] = [:]  // By number, without cancelled gets.

    mutating func append(_ waiter: @escaping @Sendable () -> Void, _ priority: UInt8) -> Int {
      defer { end += 1 }
      waiters[end] = waiter
      let place = queues.firstIndex { $0.priority >= priority } ?? queues.count
      if place == queues.count || queues[place].priority != priority {
        queues.insert((priority, Deque()), at: place)
      }
      queues[place].numbers.append(end)
      // An origin that hangs lets many gets wait and leave.
      if queues[place].numbers.count > 64 + 2 * waiters.count {
        queues[place].numbers.keep { waiters[$0] != nil }
      }
      return end
    }

    /// Removes and returns the next waiter, which receives the permit. Without one, it frees the
    /// permit.
    mutating func passOn() -> (@Sendable () -> Void)? {
      while !queues.isEmpty {
        guard let number = queues[queues.count - 1].numbers.popFirst() else {
          queues.removeLast()
          continue
        }
        if let waiter = waiters.removeValue(forKey: number) { return waiter }
      }
      free += 1
      return nil
    }
  }

  /// Numbers in the order in which they were appended. Takes O(1) for each, amortized.
  private struct Deque {
    private var numbers: [Int] = []
    private var first = 0

    var count: Int { numbers.count - first }

    mutating func append(_ number: Int) { numbers.append(number) }

    mutating func keep(_ isKept: (Int) -> Bool) {
      numbers = numbers[first...].filter(isKept)
      first = 0
    }

    mutating func popFirst() -> Int? {
      guard first < numbers.count else { return nil }
      first += 1
      defer {
        if first > 32, 2 * first > numbers.count {
          numbers.removeFirst(first)
          first = 0
        }
      }
      return numbers[first - 1]
    }
  }

  private let state: Lock<State>
  /// The maximum number of waiting gets.
  let longest: Int

  init(_ count: Int, queue longest: Int = .max) {
    state = Lock(State(free: count))
    self.longest = longest
  }

  /// Takes a permit. Returns `false` if no permit is free.
  func take() -> Bool {
    state.withLock { state in
      guard state.free > 0 else { return false }
      state.free -= 1
      return true
    }
  }

  /// Runs a get that already has a permit, and frees the permit when the get has settled and the tasks
  /// that it has begun have ended.
  func run<Value>(_ get: () -> Promise<Value>) -> Promise<Value> {
    let (answer, tasks) = BegunTasks.collect(get)
    if let tasks {
      tasks.whenEnded(answer) { self.free() }
      return answer
    }
    guard answer.isReady else { return answer.observed { _ in self.free() } }
    free()
    return answer
  }

  /// Adds a get to the queue, or runs the get if a permit has become free. Returns a failure if the
  /// queue is full.
  func wait<Value>(
    _ priority: TaskPriority = .medium, _ get: @escaping @Sendable () -> Promise<Value>,
    refused: () -> any Error
  ) -> Promise<Value> {
    let result = Pending<Value>()
    let place = queue(priority.rawValue) {
      guard result.outcome == nil else { return self.free() }
      result.follow(self.run(get))
    }
    switch place {
    case .free: return run(get)
    case .refused: return Promise(error: refused())
    case .queued(let number):
      result.onCancel { self.leave(number) }
      return Promise(.pending(result))
    }
  }

  private enum Place {
    case free, refused
    case queued(Int)
  }

  /// Adds a waiter to the queue, unless a permit is free or the queue is full. When a permit is
  /// free, it's taken.
  private func queue(_ priority: UInt8, _ waiter: @escaping @Sendable () -> Void) -> Place {
    state.withLock { state in
      guard state.free == 0 else {
        state.free -= 1
        return .free
      }
      guard state.waiters.count < longest else { return .refused }
      return .queued(state.append(waiter, priority))
    }
  }

  /// Passes a permit to the next waiter, or frees the permit if there is no waiter.
  ///
  /// Through `Trampoline`, the waiter can't overflow the stack if many waiting gets settle
  /// synchronously. It isn't delayed by a blocked thread, because `wait(for:)` runs the queued jobs
  /// of a thread before it blocks that thread.
  private func free() {
    if let waiter = state.withLock({ $0.passOn() }) { Trampoline.run(waiter) }
  }

  /// Removes a waiter from the queue. Its closure is deallocated after the lock has been released.
  private func leave(_ number: Int) {
    _ = state.withLock { $0.waiters.removeValue(forKey: number) }
  }
}
