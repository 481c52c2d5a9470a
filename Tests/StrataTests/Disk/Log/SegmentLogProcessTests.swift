import StrataLaws
#if os(Linux)
  import Glibc
  import XCTest

  @testable import StrataCore
  @testable import StrataDisk

  /// Tests two processes that use one directory, each on a separate core. One of the processes is
  /// killed repeatedly.
  ///
  /// The tests are short unless `STRATA_LONG` is set in the environment.
  final class SegmentLogProcessTests: DiskTestCase {
    private static let folderVariable = "STRATA_CHILD_FOLDER"
    private static let numberVariable = "STRATA_CHILD_NUMBER"
    private static let stepsVariable = "STRATA_CHILD_STEPS"
    private static let secondsVariable = "STRATA_CHILD_SECONDS"
    private static let keysVariable = "STRATA_CHILD_KEYS"

    /// The second process runs only this test.
    func testTheOtherProcess() throws {
      let environment = ProcessInfo.processInfo.environment
      guard
        let base = environment[Self.folderVariable],
        let number = environment[Self.numberVariable].flatMap({ Int($0) }),
        let steps = environment[Self.stepsVariable].flatMap({ Int($0) }),
        let keys = environment[Self.keysVariable].flatMap({ Int($0) })
      else { throw XCTSkip("runs only as the child of another test") }
      // Removes the directory that `setUp` created, because this process may be killed before the
      // test ends.
      tearDown()
      Self.pin(to: number % 2)
      let log = SegmentLog(
        directory: base + "/store", capacity: Self.capacity(keys),
        background: { DispatchQueue.work.async(execute: $0) })
      let oracle = StrictOracle(path: base + "/oracle", keys: keys)
      var random = SeededGenerator(seed: UInt64(getpid()))
      let writers = keys < 100 ? 1 : 2
      let end = environment[Self.secondsVariable].flatMap { Int($0) }
        .map { ContinuousClock.now + .seconds($0) }
      for step in 0..<steps {
        if step % 64 == 0, let end, end < .now { return }
        oracle.step(
          log, writer: number % 2, of: writers, longest: keys < 100 ? 300_000 : 200_000, &random)
        if step % 64 == 0, write(STDOUT_FILENO, "#", 1) != 1 { return }
      }
    }

    private static func capacity(_ keys: Int) -> Int { keys < 100 ? 64 << 20 : 32 << 20 }

    /// Runs this process on one core. Two processes on the same core would alternate every few
    /// milliseconds, and rarely overlap.
    private static func pin(to core: Int) {
      typealias SetAffinity = @convention(c) (pid_t, Int, UnsafeRawPointer) -> Int32
      var cores = 1 << core
      // The function isn't declared for Swift.
      guard let function = dlsym(nil, "sched_setaffinity") else { return }
      _ = unsafeBitCast(function, to: SetAffinity.self)(0, MemoryLayout<Int>.size, &cores)
    }

    private struct Child {
      let process: Process
      let output: FileHandle

      /// Waits until the process has printed the given number of `#` marks. Returns false if the
      /// process ends first.
      func waitForMarks(_ count: Int) -> Bool {
        var seen = 0
        while seen < count {
          let more = output.availableData
          if more.isEmpty { return false }
          seen += more.filter { $0 == UInt8(ascii: "#") }.count
        }
        return true
      }

      func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        end()
      }

      func end() {
        while !output.availableData.isEmpty {}
        process.waitUntilExit()
      }
    }

    /// Starts the second process, which ends after the given number of steps or seconds.
    private func child(_ number: Int, keys: Int, steps: Int, seconds: Int? = nil) throws -> Child {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["StrataTests.SegmentLogProcessTests/testTheOtherProcess"]
      process.environment = ProcessInfo.processInfo.environment.merging([
        Self.folderVariable: base, Self.numberVariable: "\(number)",
        Self.stepsVariable: "\(steps)", Self.keysVariable: "\(keys)",
        Self.secondsVariable: seconds.map(String.init) ?? "",
      ]) { $1 }
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try process.run()
      return Child(process: process, output: pipe.fileHandleForReading)
    }

    /// One process sets 8 keys to values of 24 B to 300 KB, removes keys, and clears the store,
    /// until the process is killed.
    func testAKilledWriterLeavesExactlyItsAcknowledgedWrites() throws {
      let oracle = StrictOracle(path: base + "/oracle", keys: 8)
      var random = SeededGenerator(seed: 1)
      var (checked, lost) = (0, 0)
      var slowest = Duration.zero
      for round in 0..<(isLong ? 500 : 4) {
        let child = try child(0, keys: 8, steps: .max)
        XCTAssertTrue(child.waitForMarks(Int.random(in: 1...30, using: &random)))
        child.kill()
        let log = log(capacity: Self.capacity(8))
        slowest = max(slowest, ContinuousClock().measure { _ = log.value("nothing") })
        for key in 0..<8 {
          let floor = oracle.floor(key)
          let value = log.value("k\(key)")
          oracle.judge(value, of: key, since: floor)
          // Checks only keys that have no write in flight and weren't cleared after their last
          // write.
          guard oracle.isKept(key), floor <= oracle.acknowledged(key) else { continue }
          guard oracle[.clears] == oracle[.clearsBegun] else { continue }
          checked += 1
          if value == nil { lost += 1 }
        }
        // A clear that was in progress when the process was killed may or may not take effect.
        while oracle[.clears] < oracle[.clearsBegun] { oracle.add(.clears) }
        XCTAssertLessThanOrEqual(usedBytes(), Self.capacity(8), "round \(round)")
      }
      XCTAssertEqual(oracle.lies, [:], oracle.summary)
      XCTAssertEqual(lost, 0, "of \(checked)")
      XCTAssertGreaterThan(checked, 0)
      print("kills: \(oracle.summary), kept \(checked), slowest reopening \(slowest)")
    }

    func testTwoProcessesNeverReadAWrongOrStaleValue() throws {
      let oracle = StrictOracle(path: base + "/oracle", keys: 400)
      let children = try (0..<2).map {
        try child($0, keys: 400, steps: isLong ? .max : 8_000, seconds: isLong ? 30 : nil)
      }
      while children[0].waitForMarks(10) {
        XCTAssertLessThanOrEqual(usedBytes(), Self.capacity(400) + 2 * 201_000)
      }
      for child in children { child.end() }
      XCTAssertEqual(oracle.lies, [:], oracle.summary)
      XCTAssertEqual(oracle[.failures], 0)
      XCTAssertGreaterThan(oracle[.hits], 1_000)
      print("two processes: \(oracle.summary)")
    }

    func testAKilledProcessNeverBlocksOrMisleadsTheOther() throws {
      let oracle = StrictOracle(path: base + "/oracle", keys: 400)
      let steady = try child(
        0, keys: 400, steps: isLong ? .max : 10_000, seconds: isLong ? 30 : nil)
      var kills = 0
      repeat {
        let victim = try child(1, keys: 400, steps: .max)
        XCTAssertTrue(victim.waitForMarks(isLong ? 500 : 25))
        victim.kill()
        kills += 1
      } while steady.waitForMarks(isLong ? 500 : 25)
      steady.end()
      XCTAssertEqual(steady.process.terminationStatus, 0)
      XCTAssertEqual(oracle[.failures], 0)
      XCTAssertEqual(oracle.lies, [:], oracle.summary)
      XCTAssertLessThanOrEqual(usedBytes(), Self.capacity(400) + 2 * 201_000)
      print("two processes, one killed \(kills) times: \(oracle.summary)")
    }
  }
#endif
