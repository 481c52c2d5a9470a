import Foundation
import Strata

/// A signal handler that removes temporary directories and exits.
///
/// Termination signals are blocked in all threads, and a dedicated thread waits for them. This
/// thread can safely take locks and remove files. In contrast, a handler function that is installed
/// with `signal` can't take locks or use `FileManager`.
enum Interruption {
  private static let work = Lock<(@Sendable () -> Void)?>(nil)

  /// Sets a closure that runs when a signal arrives, before the process ends. After the closure has
  /// returned, the process exits with status 0. Without a closure, the process exits with status
  /// 128 plus the signal's number.
  static func beforeEnd(_ work: @escaping @Sendable () -> Void) {
    Self.work.withLock { $0 = work }
  }

  /// Starts the handler. Call this function before the process starts other threads, because new
  /// threads inherit the signal mask.
  ///
  /// - Throws: A `ThreadError` if the system has no thread for the handler. Then signals end the
  ///   process as usual.
  static func watch(_ signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]) throws {
    signal(SIGPIPE, SIG_IGN)  // Makes writes to a closed pipe throw an error.
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let awaited = set
    do { try startThread { wait(for: awaited) } } catch {
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      throw error
    }
  }

  private static func wait(for awaited: sigset_t) {
    var (set, signal) = (awaited, Int32(0))
    while sigwait(&set, &signal) != 0 {}
    let work = work.withLock { $0 }
    work?()
    TemporaryDirectory.removeAll { _exit(work == nil ? 128 + signal : 0) }
  }
}
