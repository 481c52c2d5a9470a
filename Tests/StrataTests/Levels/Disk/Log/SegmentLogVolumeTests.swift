#if os(Linux)
  import Foundation
  import StrataLaws
  import XCTest

  @testable import Strata

  /// Tests a log on a volume that is full or nearly full.
  final class SegmentLogVolumeTests: DiskTestCase {
    /// A cache with a capacity of 64 MiB is on a volume of 16 MiB. Another file takes up the
    /// remaining space of the volume.
    func testASmallVolumeIsSharedWithOtherFiles() throws {
      XCTAssertEqual(mkdir(folder, 0o700), 0)
      guard (try? run("mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", folder)) == 0
      else {
        throw XCTSkip("mounting is not permitted")
      }
      defer { _ = try? run("umount", "-l", folder) }
      var random = SeededGenerator(seed: 16)
      let log = log(capacity: 64 << 20)
      var (thrown, hits) = (0, 0)
      var latest: [Int: Int] = [:]
      for version in 0..<(isLong ? 60_000 : 6_000) {
        if version == 3_000 { fill(folder + "/foreign") }
        let key = Int.random(in: 0..<500, using: &random)
        let value = Stamp(key: "k\(key)", version: version)
          .value(length: Int.random(in: 24...16_000, using: &random))
        do { try log.set(value, for: "k\(key)") } catch { thrown += 1 }
        latest[key] = version
        let other = Int.random(in: 0..<500, using: &random)
        guard let found = log.value("k\(other)") else { continue }
        hits += 1
        XCTAssertEqual(Stamp(found)?.version, latest[other])
      }
      XCTAssertEqual(thrown, 0)
      XCTAssertGreaterThan(hits, 1_000)
    }

    /// Writes a file of 6 MiB, or as much as fits on the volume.
    private func fill(_ path: String) {
      let file = open(path, O_WRONLY | O_CREAT, 0o600)
      let bytes = [UInt8](repeating: 0, count: 1 << 16)
      for _ in 0..<96 { _ = write(file, bytes, bytes.count) }
      close(file)
    }

    private func run(_ command: String...) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = command
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }
#endif
