import Foundation

/// The number of times that threads have left the processor of its own accord, for example to
/// wait for a lock.
enum VoluntarySwitches {
  /// The count of this thread, or zero where the system doesn't count it.
  static var ofThisThread: Int {
    #if os(Linux)
      count(1)  // RUSAGE_THREAD, which Swift doesn't import.
    #else
      0
    #endif
  }

  /// The count of all threads of this process, or zero where the system doesn't count it.
  static var ofThisProcess: Int {
    #if os(Linux)
      count(0)  // RUSAGE_SELF.
    #else
      0
    #endif
  }

  #if os(Linux)
    private static func count(_ who: Int32) -> Int {
      var usage = rusage()
      return getrusage(who, &usage) == 0 ? usage.ru_nvcsw : 0
    }
  #endif
}
