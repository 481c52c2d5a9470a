import Foundation

/// Threads that wait for work, so that a run on real threads need not start any.
final class Crew: Sendable {
  static let shared = Crew()

  private final class Member: Sendable {
    let isNeeded = DispatchSemaphore(value: 0)
    let work = Guarded<(@Sendable () -> Void)?>(nil)

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
  private let members = Guarded<[Member]>([])

  /// Runs pieces of work at the same time, as near to one moment as can be, and waits for all.
  func run(_ work: [@Sendable () -> Void]) {
    isFree.lock()
    defer { isFree.unlock() }
    let members = members.withLock { members in
      while members.count < work.count { members.append(Member()) }
      return members
    }
    let ended = DispatchGroup()
    let missing = Guarded(work.count)
    for (member, work) in zip(members, work) {
      ended.enter()
      member.begin {
        missing.withLock { $0 -= 1 }
        while missing.withLock({ $0 }) > 0 { sched_yield() }
        work()
        ended.leave()
      }
    }
    ended.wait()
  }
}
