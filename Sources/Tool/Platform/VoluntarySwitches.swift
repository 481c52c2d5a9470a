import Foundation

/// The number of times that this thread has left the processor of its own accord, for example to
/// wait for a lock.
enum VoluntarySwitches {
  /// The count of this thread, or zero where the system doesn't count it.
  static var ofThisThread: Int {
    #if os(Linux)
      var usage = rusage()
      let thisThread: Int32 = 1  // RUSAGE_THREAD, which Swift doesn't import.
      guard getrusage(thisThread, &usage) == 0 else { return 0 }
      return usage.ru_nvcsw
    #else
      return 0
    #endif
  }
}
