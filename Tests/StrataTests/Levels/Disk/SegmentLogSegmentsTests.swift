import XCTest

@testable import Strata

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How an engine moves from one segment to the next.
final class SegmentLogSegmentsTests: DiskTestCase {
  /// A segment that was opened and not watched, because then a listing failed, is read on when
  /// others have sealed it meanwhile.
  func testASegmentThatWasNotReadToItsEndIsReadOn() throws {
    let faulty = FaultyFileSystem()
    let (log, other) = (log(files: faulty.files), log())
    for key in ["a", "b", "c"] { try log.set(Data([1]), for: key) }
    XCTAssertEqual(other.value("a"), Data([1]))
    let listings = Lock(0)
    faulty.setFault { _, call in
      guard call == "names" else { return nil }
      return listings.withLock { listings in
        listings += 1
        return listings == 3 ? EIO : nil
      }
    }
    XCTAssertThrowsError(try log.writer.withLock { try log.roll(&$0) })
    XCTAssertEqual(listings.withLock { $0 }, 3)
    try other.set(Data([2]), for: "a")
    try other.remove("b")
    try other.writer.withLock { try other.roll(&$0) }
    XCTAssertEqual(log.value("a"), Data([2]))
    XCTAssertNil(log.value("b"))
    XCTAssertEqual(log.value("c"), Data([1]))
  }

  /// What is held of a segment is not what the folder lists by its number, once that was removed and
  /// sleepers have made it again: then what came behind it was never read.
  func testASegmentThatWasMadeAgainIsNotTheOneThatIsHeld() throws {
    let faulty = FaultyFileSystem()
    let (log, other) = (log(files: faulty.files), log())
    for key in ["a", "b"] { try log.set(Data([1]), for: key) }
    XCTAssertEqual(other.value("a"), Data([1]))
    let (folder, isDone) = (folder, Lock(false))
    faulty.setFault { _, call in
      guard call == "names", !isDone.withLock({ $0 }) else { return nil }
      isDone.withLock { $0 = true }
      // While this one sleeps, another goes on, and what it writes goes again.
      try? other.remove("a")
      try? other.writer.withLock { try other.roll(&$0) }
      for _ in 0..<2 {
        let oldest = other.state.withLock { $0.index.oldest }
        let isGone = try? other.writer.withLock { try other.dropOldest(&$0) }
        XCTAssertEqual(isGone, true)
        let path = folder + "/" + Segment.name(oldest?.number ?? 0)
        close(open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600))
      }
      return nil
    }
    try log.writer.withLock { try log.roll(&$0) }
    XCTAssertTrue(isDone.withLock { $0 })
    XCTAssertNil(log.value("a"))
    try log.set(Data([3]), for: "a")
    XCTAssertEqual(other.value("a"), Data([3]))
  }
}
