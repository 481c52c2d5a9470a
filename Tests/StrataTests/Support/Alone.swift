import Foundation
import XCTest

extension XCTestCase {
  /// Returns whether this process runs only this test. If this process also runs other tests, this
  /// function runs this test in another process, and the caller should return. On Apple's
  /// platforms, always returns `true`.
  ///
  /// A test needs its own process if it changes a property of the process, such as its limit on
  /// open files, or if background work of other tests would change what it measures. Dispatch may
  /// end a process in which it can't open a file. If a signal ends the process of the test, this
  /// function runs the test again, up to four times.
  func runsAlone(_ test: String = #function) throws -> Bool {
    #if canImport(Glibc)
      let variable = "STRATA_ALONE"
      var environment = ProcessInfo.processInfo.environment
      guard environment[variable] == nil else { return true }
      environment[variable] = "1"
      let name = "\(String(reflecting: type(of: self)))/\(test.prefix { $0 != "(" })"
      for _ in 0..<5 {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [name]
        process.environment = environment
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(
          decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit else { continue }
        XCTAssertEqual(process.terminationStatus, 0, text)
        XCTAssertTrue(text.contains("Executed 1 test"), text)
        return false
      }
      XCTFail("five processes of \(name) were ended by signals")
      return false
    #else
      return true
    #endif
  }
}
