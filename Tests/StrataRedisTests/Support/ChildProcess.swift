#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
  import Foundation
  import XCTest

  /// A replacement for Foundation's `Process` on systems where an app can't start a process. Tests
  /// that need a process are skipped on iOS, tvOS, watchOS, and visionOS.
  final class Process {
    var executableURL: URL?
    var arguments: [String]?
    var environment: [String: String]?
    var standardInput: Any?
    var standardOutput: Any?
    var standardError: Any?
    let processIdentifier: Int32 = 0
    let isRunning = false
    let terminationStatus: Int32 = 0

    func run() throws { throw XCTSkip("This system starts no processes.") }
    func terminate() {}
    func waitUntilExit() {}
  }
#endif
