/// The permits for gets, and the queue of the gets that wait for a permit.
///
/// No permit is free while a get is waiting, because a get that ends passes its permit to the next
/// waiting get.
final class ConcurrencyLimiter: Sendable {
  private struct State {
    var free: Int
    var end = 0  // The number of the next waiting get.
    /// The numbers of the waiting gets, in one queue for each priority, the most urgent queue last.
    /// After a get was cancelled or moved to a more urgent queue, its number stays in its old queue
    /// until its turn.
    var queues: [(priority: UInt8, numbers: Deque)] = []
    /// The waiting gets by their number, without cancelled ones. Every get is in the queue of its
    /// priority.
    var waiters: [Int: (priority: UInt8, begin: @Sendable () -> Void)] = [:]

    mutating func append(_ waiter: @escaping @Sendable () -> Void, _ priority: UInt8) -> Int {
      defer { end += 1 }
      waiters[end] = (priority, waiter)
      enqueue(end, priority)
      return end
    }

    private mutating func enqueue(_ number: Int, _ priority: UInt8) {
      let place = queues.firstIndex { $0.priority >= priority } ?? queues.count
      if place == queues.count || queues[place].priority != priority {
        queues.insert((priority, Deque()), at: place)
      }
      queues[place].numbers.append(number)
      // While an origin hangs, many gets join the queue and are cancelled.
      if queues[place].numbers.count > 64 + 2 * waiters.count {
        queues[place].numbers.keep { waiters[$0]?.priority == priority }
      }
    }

    /// Moves a waiting get to the end of the queue of a higher priority.
    mutating func raise(_ number: Int, to priority: UInt8) {
      guard let waiter = waiters[number], waiter.priority < priority else { return }
      waiters[number]?.priority = priority
      enqueue(number, priority)
    }

    /// Removes and returns the next waiter, which receives the permit. If no get is waiting, frees
    /// the permit and returns `nil`.
    mutating func passOn() -> (@Sendable () -> Void)? {
      while !queues.isEmpty {
        let last = queues.count - 1
        guard let number = queues[last].numbers.popFirst() else {
          queues.removeLast()
          continue
        }
        guard waiters[number]?.priority == queues[last].priority else { continue }
        return waiters.removeValue(forKey: number)?.begin
      }
      free += 1
      return nil
    }
  }

  /// A queue of numbers. Each operation takes O(1) time, amortized, except `keep`.
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
  private let permits: Int
  /// The maximum number of waiting gets.
  let longest: Int

  init(_ count: Int, queue longest: Int = .max) {
    state = Lock(State(free: count))
    permits = count
    self.longest = longest
  }

  /// The number of permits in use, and the number of waiting gets.
  var gauges: [CacheGauge] {
    let (free, waiting) = state.withLock { ($0.free, $0.waiters.count) }
    return [
      CacheGauge("permits", permits - free, of: permits),
      CacheGauge("waiting", waiting, of: longest),
    ]
  }

  /// Takes a permit. Returns `false` if no permit is free.
  func take() -> Bool {
    state.withLock { state in
      guard state.free > 0 else { return false }
      state.free -= 1
      return true
    }
  }

  /// Runs a get that already has a permit. This permit becomes free when the get has settled and
  /// the tasks that it began have ended.
  ///
  /// - Parameter isCalled: `true` if the get runs within its caller's call: then a limiter above
  ///   also waits for the get's tasks. `false` if the get has waited in the queue.
  func run<Value>(isCalled: Bool = true, _ get: () -> Promise<Value>) -> Promise<Value> {
    let (answer, tasks) = BegunTasks.collect(isPart: isCalled, get)
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
  ///
  /// - Parameter priority: A closure that returns the priority of the get. `nil` means that the
  ///   priority of the current task counts.
  func wait<Value>(
    _ priority: (@Sendable () -> TaskPriority)? = nil,
    _ get: @escaping @Sendable () -> Promise<Value>, refused: () -> any Error
  ) -> Promise<Value> {
    let result = Pending<Value>()
    let place = queue((priority?() ?? .ofCaller).rawValue) {
      guard result.outcome == nil else { return self.free() }
      result.follow(self.run(isCalled: false, get))
    }
    switch place {
    case .free: return run(get)
    case .refused: return Promise(error: refused())
    case .queued(let number):
      result.onCancel(
        .handle { raise in
          guard let raise else { return self.leave(number) }
          self.raise(number, to: priority?().rawValue ?? raise.priority)
        })
      return Promise(.pending(result))
    }
  }

  private enum Place {
    case free, refused
    case queued(Int)
  }

  /// Takes a permit if one is free. Otherwise, adds a waiter to the queue, unless the queue is
  /// full.
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
  /// `Trampoline` keeps the stack from overflowing if many waiting gets settle synchronously. And a
  /// blocked thread doesn't delay the waiter, because `wait(for:)` runs the queued jobs of a thread
  /// before it blocks that thread.
  private func free() {
    if let waiter = state.withLock({ $0.passOn() }) { Trampoline.run(waiter) }
  }

  private func raise(_ number: Int, to priority: UInt8) {
    state.withLock { $0.raise(number, to: priority) }
  }

  /// Removes a waiter from the queue. Its closure is deallocated after the lock has been released.
  private func leave(_ number: Int) {
    _ = state.withLock { $0.waiters.removeValue(forKey: number) }
  }
}
