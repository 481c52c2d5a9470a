import Foundation
import XCTest

@testable import StrataCore

final class HugePagesTests: XCTestCase {
  func testLargeMemoryIsZeroedAndWritableWhateverItsPages() throws {
    for size in [HugePages.threshold / 2, HugePages.threshold, 3 * HugePages.threshold + 1] {
      let memory = try XCTUnwrap(ZeroedMemory.allocate(size, of: 1, alignment: 64))
      defer { freeZeroed(memory) }
      for offset in stride(from: 0, to: size, by: 4096) {
        XCTAssertEqual(memory.load(fromByteOffset: offset, as: UInt8.self), 0)
        memory.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
      }
      memory.storeBytes(of: 1, toByteOffset: size - 1, as: UInt8.self)
    }
  }

  #if os(Linux)
    func testTheSystemNotesTheRequestForLargeMemoryOnly() throws {
      try XCTSkipUnless(
        FileManager.default.fileExists(atPath: "/sys/kernel/mm/transparent_hugepage/enabled"),
        "This system has no large pages.")
      for (size, isAdvised) in [(HugePages.threshold, true), (HugePages.threshold / 2, false)] {
        let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let memory = try XCTUnwrap(pages)
        defer { munmap(memory, size) }
        HugePages.request(for: memory, size: size)
        let middle = memory.alignedUp(toMultipleOf: 2 << 20)
        XCTAssertEqual(try flags(at: middle).contains("hg"), isAdvised, "\(size)")
      }
    }

    /// Returns the flags of the mapping that contains an address.
    private func flags(at address: UnsafeMutableRawPointer) throws -> [Substring] {
      // Foundation would read only the first part of this file, because its size is zero.
      let file = try XCTUnwrap(fopen("/proc/self/smaps", "r"))
      defer { fclose(file) }
      var (buffer, isInside) = ([CChar](repeating: 0, count: 4096), false)
      while fgets(&buffer, Int32(buffer.count), file) != nil {
        let text = String(
          decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let line = text.prefix { $0 != "\n" }
        let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap {
          UInt($0, radix: 16)
        }
        if bounds.count == 2 {
          let address = UInt(bitPattern: address)
          isInside = bounds[0] <= address && address < bounds[1]
        }
        if isInside, line.hasPrefix("VmFlags:") { return line.split(separator: " ") }
      }
      return []
    }
  #endif
}
