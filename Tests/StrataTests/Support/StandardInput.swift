#if canImport(Glibc)
  import Foundation
  import XCTest

  /// Runs `body` while the standard input is closed, as in some daemons. The next file that `body`
  /// opens then has the descriptor 0.
  ///
  /// `body` runs on a thread with its own table of descriptors. Without its own table, a file that
  /// another thread opens at the same time could get the descriptor 0.
  func withoutStandardInput(_ body: @escaping () throws -> Void) throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    // Glibc's module doesn't import `unshare`, because its header hides the function by default.
    let unshare = unsafeBitCast(try XCTUnwrap(dlsym(nil, "unshare")), to: Unshare.self)
    let descriptors: Int32 = 0x400  // CLONE_FILES
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) var result = Result { () throws -> Void in }
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      if unshare(descriptors) == 0 {
        close(0)
        result = Result { try body() }
      } else {
        result = .failure(XCTSkip("a thread can't have its own table of descriptors"))
      }
      hasEnded.signal()
    }
    hasEnded.wait()
    try result.get()
  }

  /// Whether a descriptor is open.
  func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }
#endif
