#if os(Linux)
  import Glibc
  import StrataLaws
  import XCTest

  @testable import Strata

  /// A second process that writes until it is killed, while this one reads and writes beside it.
  ///
  /// Five rounds; with `STRATA_LONG` set in the environment, 500.
  final class DiskStoreKillTests: DiskTestCase {
    private static let folderVariable = "STRATA_KILL_FOLDER"
    private let keys = (0..<8).map { "key-\($0)" }
    private let length = 100_000
    private let capacity = 64 << 20

    /// The second process: this test alone, started by the other one.
    func testTheOtherProcess() throws {
      let environment = ProcessInfo.processInfo.environment
      guard let folder = environment[Self.folderVariable] else {
        throw XCTSkip("runs only as the child of the other test")
      }
      // Nobody will tear this test down.
      tearDown()
      let store = DiskStore(directory: folder, capacity: capacity)
      for version in 0... {
        let key = keys[version % keys.count]
        try store.write(Stamp(key: key, version: version).value(length: length), for: key)
        let line = Array("wrote \(version)\n".utf8)
        guard write(STDOUT_FILENO, line, line.count) == line.count else { return }
      }
    }

    func testAKilledWriterLeavesWhatItAcknowledgedAndNothingElse() throws {
      let rounds = ProcessInfo.processInfo.environment["STRATA_LONG"] == nil ? 5 : 500
      var random = SeededGenerator(seed: 1)
      for _ in 0..<rounds {
        try? FileManager.default.removeItem(atPath: folder)
        let beside = store(capacity: capacity)
        let last = try killed(after: Int.random(in: 1...60, using: &random)) { version in
          try beside.write(Data([1]), for: "own")
          let key = keys[version % keys.count]
          XCTAssertEqual(beside.read(key).map { Stamp($0)?.key }, key)
        }
        let reopened = store(capacity: capacity)
        for (index, key) in keys.enumerated() where index <= last {
          let acknowledged = last - (last - index) % keys.count
          let version = reopened.read(key).flatMap(Stamp.init)?.version
          // One more may have become visible before the kill.
          XCTAssertTrue([acknowledged, last + 1].contains(version), "\(key): \(version ?? -1)")
        }
        XCTAssertEqual(reopened.read("own"), Data([1]))
        XCTAssertEqual(names().filter { !DiskNames.isRecord($0) }, [])
      }
    }

    /// Starts the other process, kills it after so many acknowledged writes, and returns its last.
    private func killed(after count: Int, onWrite: (Int) throws -> Void) throws -> Int {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["StrataTests.DiskStoreKillTests/testTheOtherProcess"]
      process.environment = ProcessInfo.processInfo.environment
        .merging([Self.folderVariable: folder]) { $1 }
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      defer {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      var (text, last, isKilled) = (Data(), -1, false)
      while case let more = pipe.fileHandleForReading.availableData, !more.isEmpty {
        text += more
        while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: text[..<end], as: UTF8.self)
          text = Data(text[(end + 1)...])
          guard line.hasPrefix("wrote "), let version = Int(line.dropFirst(6)) else { continue }
          last = version
          if !isKilled { try onWrite(version) }
        }
        if last >= count, !isKilled {
          kill(process.processIdentifier, SIGKILL)
          isKilled = true
        }
      }
      XCTAssertGreaterThanOrEqual(last, count)
      return last
    }
  }
#endif
