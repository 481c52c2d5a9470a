#if canImport(Glibc)
  import Foundation
  import XCTest

  /// Runs `body` while the standard input is closed, as in some daemons. The next file that the
  /// process opens then has the descriptor 0. Afterwards, the process has its standard input again.
  func withoutStandardInput(_ body: () throws -> Void) throws {
    let saved = fcntl(0, F_DUPFD_CLOEXEC, 3)
    guard saved >= 0 else { throw XCTSkip("the process has no standard input") }
    close(0)
    defer {
      dup2(saved, 0)
      close(saved)
    }
    try body()
  }

  /// Whether a descriptor is open.
  func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }
#endif
