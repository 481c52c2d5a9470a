#if os(Linux)
  import Glibc
  import XCTest

  @testable import StrataCore
  @testable import StrataDisk
  @testable import StrataHTTP
  @testable import StrataNetwork

  /// A download in a process that is killed repeatedly.
  final class DownloadKillTests: DownloadCase {
    private static let urlVariable = "STRATA_DOWNLOAD_URL"
    private static let folderVariable = "STRATA_DOWNLOAD_FOLDER"
    private static let total = 40 << 20
    /// The number of bytes that the origin sends to a process before it falls silent.
    private static let piece = 10 << 20

    /// The other process runs only this test.
    func testTheOtherProcess() throws {
      let environment = ProcessInfo.processInfo.environment
      guard let url = environment[Self.urlVariable].flatMap({ URL(string: $0) }),
        let folder = environment[Self.folderVariable]
      else { throw XCTSkip("runs only as the child of another test") }
      tearDown()  // The process is killed before the test ends.
      let storage = FileStorage("files", in: URL(fileURLWithPath: folder))
      _ = try Fetcher.downloads(into: storage, session: NetworkSession()).get(url).wait()
    }

    func testAKilledProcessLeavesADownloadThatContinues() throws {
      let body = Array(
        try XCTUnwrap(FileHandle(forReadingAtPath: "/dev/urandom")).readData(ofLength: Self.total))
      let isPatient = Lock(false)
      let origin = try LoopbackOrigin { request in
        .stream { connection in
          let start = Self.start(request) ?? 0
          let range = "Content-Range: bytes \(start)-\(Self.total - 1)/\(Self.total)\r\n"
          connection.send(
            """
            HTTP/1.1 \(start == 0 ? "200 OK" : "206 Partial Content")\r
            ETag: "v1"\r
            Content-Length: \(Self.total - start)\r
            \(start == 0 ? "" : range)\r

            """)
          let sendsAll = isPatient.withLock { $0 }
          let end = sendsAll ? Self.total : min(Self.total, start + Self.piece)
          connection.send(Array(body[start..<end]))
          if !sendsAll { connection.waitUntilClosed() }
        }
      }
      defer { origin.stop() }
      let url = origin.url("/film.bin")
      let part = "\(storage.directory.path)/\(FileDirectory.name(of: url))~part"
      for _ in 0..<3 {  // Too few for the whole body.
        let requests = origin.requests.count
        let process = try child(url)
        while origin.requests.count == requests, process.isRunning { usleep(1_000) }
        XCTAssertTrue(process.isRunning)
        let start = origin.requests.last.flatMap(Self.start) ?? 0
        let goal = start + Int.random(in: 1...Self.piece)
        while size(part) < goal, process.isRunning { usleep(1_000) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      isPatient.withLock { $0 = true }
      let file = try downloads.get(url).wait()
      XCTAssertEqual(try Data(contentsOf: file), Data(body), "after \(ranges(origin))")
      let starts = origin.requests.map { Self.start($0) ?? 0 }
      XCTAssertEqual(starts, starts.sorted(), "No process downloads bytes that are on the device.")
      XCTAssertEqual(names(in: storage.directory.path).count, 1)
    }

    private func child(_ url: URL) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["StrataTests.DownloadKillTests/testTheOtherProcess"]
      process.environment = ProcessInfo.processInfo.environment.merging([
        Self.urlVariable: url.absoluteString, Self.folderVariable: base,
      ]) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }

    private func size(_ path: String) -> Int {
      var status = stat()
      return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
  }
#endif
