#if canImport(Glibc)
  import Foundation
  import XCTest

  @testable import StrataCore
  @testable import StrataDisk

  final class FileCallsTests: XCTestCase {
    /// While a process changes its capacity, another process always finds one of both capacities.
    func testAChangeOfTheCapacityIsNeverWithoutAnAnnouncement() throws {
      let path = NSTemporaryDirectory() + UUID().uuidString
      let (mine, other) = (open(path, O_RDWR | O_CREAT, 0o600), open(path, O_RDWR))
      defer {
        for file in [mine, other] { close(file) }
        unlink(path)
      }
      FileCalls.ask(mine, for: 1_000)
      XCTAssertEqual(FileCalls.largestAsk(other, above: 10), 1_000)
      let isDone = Lock(false)
      try startThread {
        for _ in 0..<3_000 {
          for capacity in [2_000, 1_000, .max, 1_000] {
            FileCalls.ask(mine, for: capacity)
          }
        }
        isDone.withLock { $0 = true }
      }
      var gaps = 0
      while !isDone.withLock({ $0 }) {
        if FileCalls.largestAsk(other, above: 10) == nil { gaps += 1 }
      }
      XCTAssertEqual(gaps, 0)
      XCTAssertEqual(FileCalls.largestAsk(other, above: 10), 1_000)
      XCTAssertNil(FileCalls.largestAsk(other, above: 1_000))
    }

    func testTheLimitOfOpenFilesIsTheLimitOfTheProcess() {
      XCTAssertEqual(FileCalls.limits.descriptors, sysconf(CInt(_SC_OPEN_MAX)))
    }

    func testTheLimitOfTheFileLengthIsTheLimitOfTheProcess() {
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var usual = rlimit()
      XCTAssertEqual(getrlimit(resource, &usual), 0)
      defer { setrlimit(resource, &usual) }
      var large = usual
      large.rlim_cur = min(1 << 40, usual.rlim_max)  // Longer than any file of the tests.
      XCTAssertEqual(setrlimit(resource, &large), 0)
      XCTAssertEqual(FileCalls.limits.fileLength, Int(clamping: large.rlim_cur))
    }
  }
#endif
