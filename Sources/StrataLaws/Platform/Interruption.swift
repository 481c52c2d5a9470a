import Foundation
import Synchronization

/// Pauses a client's thread in the middle of an operation while other clients perform some steps.
///
/// On a busy machine, short operations of different threads run one after another, so they don't
/// overlap. To make them overlap, a timer interrupts a client at a random instruction, as a
/// scheduler might. The timer's signal is `SIGURG`, which programs rarely use, and which the system
/// ignores by default.
enum Interruption {
  private static let steps = Atomic(0)
  private static let clients = Atomic(0)
  private static let stopped = Atomic(0)

  /// Adds to the count of running clients. Call this function before the clients start. An
  /// interrupted client stops waiting once all counted clients are interrupted, so uncounted ones
  /// would end the wait too early.
  static func begin(_ count: Int) { clients.add(count, ordering: .relaxed) }

  /// Subtracts a client that has ended from the count.
  static func end() { clients.subtract(1, ordering: .relaxed) }

  /// Counts an operation.
  static func step() { steps.add(1, ordering: .relaxed) }

  #if canImport(Glibc)
    /// Whether the signal handler is installed. It's installed only if the program has no handler
    /// for the signal.
    private static let isInstalled: Bool = {
      var (old, new) = (sigaction(), sigaction())
      guard sigaction(SIGURG, nil, &old) == 0, old.__sigaction_handler.sa_handler == nil else {
        return false
      }
      // Creates the counters before it installs the handler: their creation takes a lock, which a
      // signal handler must not take.
      _ =
        steps.load(ordering: .relaxed) + clients.load(ordering: .relaxed)
        + stopped.load(ordering: .relaxed)
      new.__sigaction_handler.sa_handler = { _ in Interruption.stop() }
      new.sa_flags = SA_RESTART
      return sigaction(SIGURG, &new, nil) == 0
    }()

    /// The function `gettid`, which Glibc doesn't declare for Swift.
    private static let threadID: (@convention(c) () -> pid_t)? = {
      dlsym(nil, "gettid").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) }
    }()

    /// Waits until other clients have performed one to eight steps. Calls no function that takes a
    /// lock, because the interrupted thread may already hold it.
    ///
    /// The wait ends after 20 ms, because other clients may need a lock that the interrupted thread
    /// holds. It also ends after 200 calls to `sched_yield`. On an idle machine, each returns
    /// immediately, so the wait is then much shorter.
    private static func stop() {
      let (error, begin) = (errno, nanoseconds(CLOCK_MONOTONIC))
      let start = steps.load(ordering: .relaxed)
      let goal = start + 1 + start & 7
      var yields = 0
      stopped.add(1, ordering: .relaxed)
      while steps.load(ordering: .relaxed) < goal, yields < 200,
        stopped.load(ordering: .relaxed) < clients.load(ordering: .relaxed),
        nanoseconds(CLOCK_MONOTONIC) - begin < 20_000_000
      {
        sched_yield()
        yields += 1
      }
      stopped.subtract(1, ordering: .relaxed)
      errno = error
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int {
      var time = timespec()
      clock_gettime(clock, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Runs a closure on this thread, and interrupts it once, after a delay in nanoseconds.
    static func once(after delay: Int, _ body: () -> Void) {
      var event = sigevent()
      event.sigev_signo = SIGURG
      event.sigev_notify = 4  // SIGEV_THREAD_ID, which Glibc doesn't declare for Swift.
      event._sigev_un._tid = threadID?() ?? 0
      var timer: timer_t?
      guard isInstalled, threadID != nil, timer_create(CLOCK_MONOTONIC, &event, &timer) == 0,
        let timer
      else { return body() }
      var time = itimerspec()
      time.it_value = timespec(tv_sec: 0, tv_nsec: min(max(1, delay), 999_999_999))
      timer_settime(timer, 0, &time, nil)
      body()
      timer_delete(timer)
    }

    /// The processor time that this thread has used, and the number of times that it has waited.
    static var costs: (nanoseconds: Int, waits: Int) {
      var usage = rusage()
      getrusage(__rusage_who_t(1), &usage)  // RUSAGE_THREAD
      return (nanoseconds(CLOCK_THREAD_CPUTIME_ID), usage.ru_nvcsw)
    }
  #else
    /// Runs a closure on this thread. It isn't interrupted, because only Linux has timers that can
    /// interrupt a specific thread.
    static func once(after delay: Int, _ body: () -> Void) { body() }

    static var costs: (nanoseconds: Int, waits: Int) { (0, .max) }
  #endif
}
