import Foundation
import StrataVerbs

/// Threads that runs reuse, because it would take time to start new ones for each run.
final class WorkerThreads: Sendable {
  static let shared = WorkerThreads()
  /// The threads on which cases run at the same time. Such a case may itself use `shared`.
  static let lanes = WorkerThreads()

  private final class Worker: Sendable {
    let isNeeded = DispatchSemaphore(value: 0)
    let work = Lock<(@Sendable () -> Void)?>(nil)

    init() {
      let thread = Thread { [self] in
        while true {
          isNeeded.wait()
          work.withLock { $0.take() }?()
        }
      }
      thread.start()
    }

    func begin(_ work: @escaping @Sendable () -> Void) {
      self.work.withLock { $0 = work }
      isNeeded.signal()
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
      ended.enter()
      member.begin {
        missing.withLock { $0 -= 1 }
        while isTogether, missing.withLock({ $0 }) > 0 { sched_yield() }
        work()
        ended.leave()
      }
    }
    ended.wait()
  }
}
