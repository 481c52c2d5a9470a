import XCTest

@testable import StrataCore

final class ZeroedMemoryTests: XCTestCase {
  func testEveryByteIsZeroAndTheFirstIsAligned() {
    for alignment in [1, 16, 64, 128, 4096] {
      for count in [0, 1, 7, 1000] {
        let memory = zeroed(count, of: 24, alignment: alignment)
        XCTAssertEqual(Int(bitPattern: memory) % max(16, alignment), 0)
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: 24 * count)
        XCTAssertTrue(bytes.allSatisfy { $0 == 0 })
        // Writes to the memory before freeing it. If the memory were reused without zeroing, the
        // test would fail.
        for index in bytes.indices { bytes[index] = 255 }
        freeZeroed(memory)
      }
    }
    freeZeroed(nil)
  }
}
