#if canImport(Glibc)
  import Foundation
  import XCTest

  @testable import Strata

  final class FileCallsTests: XCTestCase {
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
