#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  final class CurlCommandsTests: XCTestCase {
    private func isReadable(_ descriptor: Int32) -> Bool {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, 0) == 1
    }

    func testTheDescriptorIsReadableImmediatelyAndWhileACommandWaits() {
      let commands = CurlCommands()
      let descriptor = commands.open()
      XCTAssertTrue(isReadable(descriptor))
      commands.run(by: nil)
      XCTAssertFalse(isReadable(descriptor))
      commands.add { _ in }
      commands.add { _ in }
      XCTAssertTrue(isReadable(descriptor))
      commands.run(by: nil)
      XCTAssertFalse(isReadable(descriptor))
    }

    func testADescriptorOfZeroIsUsedAndClosedLikeAnyOther() throws {
      try withoutStandardInput {
        var commands: CurlCommands? = CurlCommands()
        XCTAssertEqual(commands?.open(), 0)
        XCTAssertEqual(commands?.open(), 0, "The queue should open only one descriptor.")
        commands?.run(by: nil)
        XCTAssertFalse(self.isReadable(0))
        commands?.add { _ in }
        XCTAssertTrue(self.isReadable(0))
        commands = nil
        XCTAssertFalse(isOpen(0))
      }
    }

    func testCommandsRunOnceAndInOrder() {
      let (commands, order) = (CurlCommands(), Lock<[Int]>([]))
      for number in 0..<3 { commands.add { _ in order.withLock { $0.append(number) } } }
      commands.run(by: nil)
      commands.run(by: nil)
      XCTAssertEqual(order.withLock { $0 }, [0, 1, 2])
    }
  }
#endif
