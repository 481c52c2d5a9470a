import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataVerbs

/// Tests each source of memory warnings on Linux with simulated files.
final class MemoryPressureTests: XCTestCase {
  private let files = Lock<[String: String]>([:])
  private let journal = Journal<String>()
  private let (time, clock) = TimeSource.manual()

  private let pressure = "/proc/pressure/memory"
  private let group = "/sys/fs/cgroup/app.slice/a"

  private func put(_ text: String?, at path: String) { files.withLock { $0[path] = text } }

  private func stalled(_ microseconds: Int) -> String {
    "some avg10=0.00 avg60=0.00 avg300=0.00 total=\(microseconds)\nfull avg10=0.00 total=9\n"
  }

  /// Returns a source of memory warnings with a simulated kernel. The kernel permits notifications
  /// (triggers) only for the given paths.
  private func memory(triggers: [String] = []) -> MemoryPressure {
    let (files, journal) = (files, journal)
    return MemoryPressure(
      read: { path in files.withLock { $0[path] } },
      trigger: { path, threshold, warn in
        guard triggers.contains(path) else {
          throw MemoryPressure.TriggerFailure(description: "not permitted")
        }
        journal.note("\(path): \(threshold)")
        warn()
        return { journal.note("ended") }
      },
      time: time)
  }

  private func begin(_ memory: MemoryPressure) throws -> @Sendable () -> Void {
    try memory.listen { [journal] in journal.note("warned") }
  }

  private func look() -> [String] {
    clock.advance(by: .seconds(2))
    return journal.drain()
  }

  func testATriggerIsUsedIfItIsPermitted() throws {
    let end = try begin(memory(triggers: [pressure]))
    end()
    XCTAssertEqual(journal.entries, ["\(pressure): some 100000 2000000", "warned", "ended"])
    XCTAssertEqual(clock.waiting, 0)
  }

  func testTheControlGroupsOwnPressureIsPreferred() throws {
    put("1:name=systemd:/x\n0::/app.slice/a\n", at: "/proc/self/cgroup")
    _ = try begin(memory(triggers: [pressure, "\(group)/memory.pressure"]))
    XCTAssertEqual(journal.entries.first, "\(group)/memory.pressure: some 100000 2000000")
  }

  func testOtherwiseTheCountOfTheWaitingTimeIsRead() throws {
    put(stalled(500), at: pressure)
    let end = try begin(memory())
    XCTAssertEqual(look(), [])
    put(stalled(100_499), at: pressure)
    XCTAssertEqual(look(), [])
    put(stalled(200_499), at: pressure)
    XCTAssertEqual(look(), ["warned"])
    XCTAssertEqual(look(), [])
    end()
    put(stalled(900_000), at: pressure)
    XCTAssertEqual(look(), [])
    XCTAssertEqual(clock.waiting, 0)
  }

  func testNothingIsReadAfterAnEndDuringARead() throws {
    for _ in 0..<100 {
      put(stalled(0), at: pressure)
      let end = try begin(memory())
      DispatchQueue.concurrentPerform(iterations: 2) { [clock] thread in
        if thread == 0 { end() } else { clock.advance(by: .seconds(8)) }
      }
      XCTAssertEqual(clock.waiting, 0)
    }
  }

  func testACountThatIsTemporarilyUnreadableIsReadAgain() throws {
    put(stalled(0), at: pressure)
    let end = try begin(memory())
    put(nil, at: pressure)
    XCTAssertEqual(look(), [])
    put("nonsense", at: pressure)
    XCTAssertEqual(look(), [])
    put(stalled(100_000), at: pressure)
    XCTAssertEqual(look(), ["warned"])
    end()
  }

  func testTheLimitsOfTheControlGroupAreTheLastResort() throws {
    put("0::/app.slice/a\n", at: "/proc/self/cgroup")
    put("low 5\nhigh 1\nmax 0\noom 0\noom_kill 0\n", at: "\(group)/memory.events")
    let end = try begin(memory())
    XCTAssertEqual(look(), [])
    put("low 9\nhigh 1\nmax 0\noom 0\noom_kill 3\n", at: "\(group)/memory.events")
    XCTAssertEqual(look(), [])
    put("low 9\nhigh 2\nmax 0\noom 0\noom_kill 3\n", at: "\(group)/memory.events")
    XCTAssertEqual(look(), ["warned"])
    put("low 9\nhigh 2\nmax 1\noom 1\noom_kill 3\n", at: "\(group)/memory.events")
    XCTAssertEqual(look(), ["warned"])
    end()
    XCTAssertEqual(clock.waiting, 0)
  }

  func testTheErrorListsTheAttempts() {
    XCTAssertThrowsError(try begin(memory())) { error in
      XCTAssertEqual(
        error as? MemoryWarningError,
        .unavailable(tried: [
          "/proc/pressure/memory accepts no trigger: not permitted",
          "/proc/pressure/memory cannot be read", "no control group of version 2",
        ]))
    }
    put("0::/\n", at: "/proc/self/cgroup")
    XCTAssertThrowsError(try begin(memory())) { error in
      guard case .unavailable(let tried)? = error as? MemoryWarningError else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(tried.last, "/sys/fs/cgroup/memory.events cannot be read")
    }
  }

  #if canImport(Glibc)
    func testThisMachineHasASourceOrAnError() {
      do { try MemoryPressure.system.listen {}() } catch {
        XCTAssertTrue("\(error)".hasPrefix("no memory warnings on this system"), "\(error)")
      }
    }

    func testAFileThatRefusesATriggerIsClosedAndTheErrorStatesTheReason() {
      for (path, error) in [("/dev/full", ENOSPC), ("/dev/null/none", ENOTDIR)] {
        XCTAssertThrowsError(try MemoryPressure.system.trigger(path, "some 1 2") {}) {
          XCTAssertEqual("\($0)", String(cString: strerror(error)))
        }
      }
      XCTAssertFalse(openFiles.contains("/dev/full"))
    }

    func testATriggerIsWrittenToItsFileAndTheEndClosesAllFiles() throws {
      guard try runsAlone() else { return }
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try Data().write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      let before = openFiles
      let end = try MemoryPressure.system.trigger(file.path, "some 1 2") { XCTFail("warned") }
      XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "some 1 2\0")
      let opened = openFiles.subtracting(before).filter { !$0.hasPrefix("anon_inode:") }
      XCTAssertEqual(opened.count { $0.hasPrefix("pipe:") }, 1, "The ends of a pipe have one name.")
      end()
      // The watching thread may close its files after `end` has returned.
      var waits = 0
      while !openFiles.isDisjoint(with: opened), waits < 30_000 {
        usleep(1_000)
        waits += 1
      }
      XCTAssertEqual(openFiles.intersection(opened), [])
    }

    func testAProcessWithoutStandardInputCanListen() throws {
      let listened = onSmallStack { () -> Result<Void, any Error>? in
        // Only this thread loses its standard input, because it gets its own copy of the table of
        // open files.
        let unshare = unsafeBitCast(
          dlsym(nil, "unshare"), to: (@convention(c) (CInt) -> CInt).self)
        let files: CInt = 0x400  // CLONE_FILES
        guard unshare(files) == 0 else { return nil }
        close(0)
        return Result {
          let end = try MemoryPressure.system.trigger("/dev/null", "some 1 2") {}
          end()
        }
      }
      guard let listened else { throw XCTSkip("The system doesn't permit `unshare`.") }
      XCTAssertNoThrow(try listened.get())
    }

    /// The names of this process's open files and pipes.
    private var openFiles: Set<String> {
      let folder = "/proc/self/fd"
      let manager = FileManager.default
      let files = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
      return Set(
        files.compactMap { try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") })
    }

    func testAnExceptionalConditionOfAFileIsAWarningAndTheEndClosesIt() throws {
      let (near, far) = try connected()
      let warned = DispatchSemaphore(value: 0)
      let end = try XCTUnwrap(MemoryPressure.watchPriorityEvents(of: near) { warned.signal() })
      var byte: UInt8 = 1
      XCTAssertEqual(send(far, &byte, 1, CInt(MSG_OOB)), 1)
      XCTAssertEqual(warned.wait(timeout: .now() + 300), .success)
      end()
      // The other end is closed, so a read returns zero (the end of the file) or an error.
      XCTAssertLessThanOrEqual(read(far, &byte, 1), 0)
      close(far)
    }

    /// Returns the two ends of a TCP connection. The test sends urgent TCP data, because `poll`
    /// reports urgent data and a memory warning of the kernel with the same flag.
    private func connected() throws -> (CInt, CInt) {
      let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      defer { close(listener) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let far = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
      let near: CInt = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          XCTAssertEqual(bind(listener, address, size), 0)
          XCTAssertEqual(listen(listener, 1), 0)
          XCTAssertEqual(getsockname(listener, address, &size), 0)
          XCTAssertEqual(connect(far, address, size), 0)
          return accept(listener, nil, nil)
        }
      }
      return (near, far)
    }
  #endif
}
