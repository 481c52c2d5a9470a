#if canImport(Darwin)
  import Foundation
  import XCTest

  @testable import StrataCore

  final class MemoryWarningsTests: XCTestCase {
    #if os(iOS) || os(tvOS) || os(visionOS)
      func testANotificationOfTheApplicationIsAWarningUntilTheEnd() throws {
        let journal = Journal<String>()
        let end = try XCTUnwrap(MemoryWarnings.listen { journal.note("warned") })
        let name = Notification.Name("UIApplicationDidReceiveMemoryWarningNotification")
        NotificationCenter.default.post(name: name, object: nil)
        XCTAssertEqual(journal.entries, ["warned"])
        end()
        NotificationCenter.default.post(name: name, object: nil)
        XCTAssertEqual(journal.entries, ["warned"])
      }
    #else
      func testListeningBeginsAndEnds() throws {
        let end = try XCTUnwrap(MemoryWarnings.listen {})
        end()
      }
    #endif
  }
#endif
