#if os(Linux)
  import Foundation
  import StrataLaws
  import XCTest

  @testable import StrataCore
  @testable import StrataDisk

  /// Tests a log on a volume that is full or nearly full.
  final class SegmentLogVolumeTests: DiskTestCase {
    /// A cache with a capacity of 64 MiB is on a volume of 16 MiB. Another file takes up the
    /// remaining space of the volume.
    func testASmallVolumeIsSharedWithOtherFiles() throws {
      try mount("size=16m")
      defer { unmount() }
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

    private func mount(_ size: String) throws {
      if access(folder, F_OK) != 0 { XCTAssertEqual(mkdir(folder, 0o700), 0) }
      let options = size + ",mode=700"
      guard (try? run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder)) == 0 else {
        throw XCTSkip("mounting is not permitted")
      }
    }

    private func unmount() { _ = try? run("umount", "-l", folder) }

    /// Writes values to a log, and returns how many of the last values are found afterwards.
    private func fill(_ log: SegmentLog, _ count: Int, length: Int) throws -> Int {
      for number in 0..<count {
        try log.set(Data(count: length), for: "\(number)")
        XCTAssertEqual(log.value("\(number)")?.count, length)
      }
      return (0..<count).reversed().prefix { log.value("\($0)") != nil }.count
    }

    /// The volume has less room than one segment of the capacity. The log works, but is smaller.
    func testAVolumeWithLessRoomThanASegment() throws {
      for (size, length, least) in [(64, 1_000, 5), (256, 1_000, 60), (2_048, 10_000, 80)] {
        for capacity in [100_000_000, 1 << 40] {
          try mount("size=\(size)k")
          defer { unmount() }
          let log = log(capacity: capacity)
          XCTAssertGreaterThan(try fill(log, 4 * size * 1_024 / length, length: length), least)
          try log.remove("0")
          try log.setCapacity(1 << 30)
          try log.setCapacity(size * 512)
          try log.removeAll()
          XCTAssertNil(log.value("1"))
          XCTAssertGreaterThan(try fill(log, 20, length: length), 5)
        }
      }
    }

    /// Another program takes the whole room, so the log must free space of its own.
    func testAVolumeThatAnotherProgramFills() throws {
      try mount("size=4m")
      defer { unmount() }
      let log = log(capacity: 100_000_000)
      _ = try fill(log, 50, length: 10_000)
      fill(folder + "/foreign")
      for number in 0..<50 { try log.remove("\(number)") }
      XCTAssertGreaterThan(try fill(log, 100, length: 10_000), 20)
      XCTAssertGreaterThan(try fill(log, 100, length: 100_000), 1)
      fill(folder + "/another")
      try log.setCapacity(100_000)
      XCTAssertLessThanOrEqual(usedBytes(of: log), 100_000)
      try log.setCapacity(10_000_000)
      _ = try fill(log, 50, length: 1_000)
      fill(folder + "/third")
      try log.removeAll()
      XCTAssertLessThanOrEqual(usedBytes(of: log), 4_096)
      XCTAssertGreaterThan(room(), 4_096)
      // A record that is longer than all segments together evicts nothing.
      _ = try fill(log, 10, length: 1_000)
      XCTAssertThrowsError(try log.set(Data(count: 4_000_000), for: "long"))
      XCTAssertNotNil(log.value("9"))
      // As soon as there is room again, the log grows.
      for name in ["foreign", "another", "third"] { unlink(folder + "/" + name) }
      XCTAssertGreaterThan(try fill(log, 300, length: 10_000), 150)
    }

    /// A volume without free inodes holds no new segment until an old segment is removed.
    func testAVolumeWithoutInodes() throws {
      try mount("size=4m,nr_inodes=6")
      defer { unmount() }
      let log = log(capacity: 1_000_000)
      XCTAssertGreaterThan(try fill(log, 500, length: 10_000), 5)
      try log.removeAll()
      XCTAssertGreaterThan(try fill(log, 500, length: 10_000), 5)
    }

    private func usedBytes(of log: SegmentLog) -> Int { log.state.withLock { $0.usedBytes } }

    private func room() -> Int {
      var found = statvfs()
      return statvfs(folder, &found) == 0 ? Int(found.f_bavail) * Int(found.f_frsize) : 0
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
