import Foundation
import StrataVerbs

/// Threads that runs reuse, because it would take time to start new ones for each run.
final class WorkerThreads: Sendable {
  static let shared = WorkerThreads()
  /// The threads on which cases run at the same time. Such a case may itself use `shared`.
  static let lanes = WorkerThreads()

  private final class Worker: Sendable {
    let isNeeded = DispatchSemaphore(value: 0)
    private let next = Lock<(work: @Sendable () -> Void, ended: DispatchGroup)?>(nil)

    init() {
      let thread = Thread { [self] in
        while true {
          isNeeded.wait()
          runNext()?.leave()
        }
      }
      thread.start()
    }

    /// Runs a closure, and leaves the group after the closure has been released. If the closure has
    /// the last reference to a level, the level has ended by then.
    func begin(_ work: @escaping @Sendable () -> Void, _ ended: DispatchGroup) {
      ended.enter()
      next.withLock { $0 = (work, ended) }
      isNeeded.signal()
    }

    @inline(never)
    private func runNext() -> DispatchGroup? {
      guard let (work, ended) = next.withLock({ $0.take() }) else { return nil }
      work()
      return ended
    }
  }

  private let isFree = NSLock()
  private let members = Lock<[Worker]>([])

  /// Runs closures on separate threads, and waits until all of them have returned.
  ///
  /// - Parameter isTogether: Whether the closures start at nearly the same time. The first threads
  ///   then occupy their processors until the last one has started.
  func run(_ work: [@Sendable () -> Void], together isTogether: Bool = true) {
    isFree.lock()
    defer { isFree.unlock() }
    let members = members.withLock { members in
      while members.count < work.count { members.append(Worker()) }
      return members
    }
    let ended = DispatchGroup()
    let missing = Lock(work.count)
    for (member, work) in zip(members, work) {
      let begun: @Sendable () -> Void = {
        missing.withLock { $0 -= 1 }
        while isTogether, missing.withLock({ $0 }) > 0 { sched_yield() }
        work()
      }
      member.begin(begun, ended)
    }
    ended.wait()
  }
}
