import Foundation

/// Ends the process when a signal asks for it, after what is temporary has been removed.
///
/// The signals are blocked in all threads and one thread waits for them: unlike a signal handler it
/// may take locks and remove files.
enum Interruption {
  /// Begins to watch. To be called before the process has other threads, which inherit the mask.
  static func watch(_ signals: [Int32] = [SIGINT, SIGTERM, SIGHUP]) {
    signal(SIGPIPE, SIG_IGN)  // Writing to a closed pipe is an error to be thrown, not an end.
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let awaited = set
    Thread.detachNewThread {
      var (set, signal) = (awaited, Int32(0))
      while sigwait(&set, &signal) != 0 {}
      TemporaryDirectory.removeAll { _exit(128 + signal) }
    }
  }
}
