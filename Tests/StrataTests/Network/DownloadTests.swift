import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Downloads from a server on this machine, which interrupts them.
final class DownloadTests: DownloadCase {
  func testAnInterruptedDownloadContinues() throws {
    let origin = try LoopbackOrigin { Self.reply(to: $0, ["ETag: \"v1\""]) }
    defer { origin.stop() }
    let (text, attempts) = try file(origin.url("/a.txt"))
    XCTAssertEqual(text, Self.body)
    XCTAssertEqual(attempts, 3)
    XCTAssertEqual(ranges(origin), ["", "bytes=20000- \"v1\"", "bytes=40000- \"v1\""])
    XCTAssertEqual(
      origin.requests.map { $0.headers["accept-encoding"] }, ["identity", "identity", "identity"])
    XCTAssertEqual(names(in: storage.directory.path).count, 1)
  }

  /// A process has ended after the last byte, and before the file was renamed.
  func testACompletePartNeedsOnlyItsLastByteAndTheSameVersion() throws {
    for tag in ["\"v1\"", "\"v2\""] {
      let origin = try LoopbackOrigin { request in
        tag == "\"v1\""
          ? Self.reply(to: request, ["ETag: \(tag)"], body: "abc")
          : .respond(headers: ["ETag": tag], body: "other")
      }
      defer { origin.stop() }
      let directory = FileDirectory(storage.directory.path, capacity: 1 << 30, files: .system)
      do {
        let part = try XCTUnwrap(
          try PartialFile(FileDirectory.name(of: origin.url()), in: directory))
        try part.restart(.init(validator: "\"v1\"", total: 3))
        try part.append(Data("abc".utf8))
        part.keep()
      }
      let file = try downloads.get(origin.url()).wait()
      XCTAssertEqual(try text(file), tag == "\"v1\"" ? "abc" : "other")
      XCTAssertEqual(ranges(origin), ["bytes=2- \"v1\""])
    }
  }

  func testADateIsAStrongValidatorIfTheResponseIsYounger() throws {
    let modified = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
    for (date, isStrong) in [("38", true), ("37", false)] {
      let origin = try LoopbackOrigin {
        Self.reply(to: $0, [modified, "Date: Sun, 06 Nov 1994 08:49:\(date) GMT"])
      }
      defer { origin.stop() }
      XCTAssertThrowsError(try downloads.get(origin.url()).wait())
      XCTAssertThrowsError(try downloads.get(origin.url()).wait())
      XCTAssertEqual(
        ranges(origin),
        ["", isStrong ? "bytes=20000- Sun, 06 Nov 1994 08:49:37 GMT" : ""])
    }
  }

  func testWithoutAStrongValidatorADownloadBeginsAgain() throws {
    for fields in [["ETag: W/\"v1\""], [], ["ETag: \"v1\"", "Accept-Ranges: none"], ["ETag: v1"]] {
      let origin = try LoopbackOrigin { Self.reply(to: $0, fields) }
      defer { origin.stop() }
      for _ in 0..<2 { XCTAssertThrowsError(try downloads.get(origin.url()).wait()) }
      XCTAssertEqual(ranges(origin), ["", ""], "\(fields)")
      XCTAssertEqual(names(in: storage.directory.path), [], "Nothing is kept.")
    }
  }

  func testACancelledGetKeepsWhatHasArrived() async throws {
    let sent = Lock(false)
    let origin = try LoopbackOrigin { request in
      if Self.start(request) != nil {
        return Self.reply(to: request, ["ETag: \"v1\""], piece: .max)
      }
      return .stream { connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 50000\r\nETag: \"v1\"\r\n\r\n")
        connection.send(String(Self.body.prefix(20_000)))
        sent.withLock { $0 = true }
        connection.waitUntilClosed()
      }
    }
    defer { origin.stop() }
    let get = downloads.get(origin.url())
    let part = "\(storage.directory.path)/\(FileDirectory.name(of: origin.url()))~part"
    var size: Int { (try? Data(contentsOf: URL(fileURLWithPath: part)))?.count ?? 0 }
    while size < 20_000 { await Task.yield() }
    get.cancel()
    let file = try await downloads.value(for: origin.url())  // Waits for the end of the first one.
    XCTAssertEqual(try text(file), Self.body)
    XCTAssertEqual(ranges(origin), ["", "bytes=20000- \"v1\""])
  }

  func testASecondGetWaitsForTheFirstAndReturnsItsFile() throws {
    let goOn = DispatchSemaphore(value: 0)
    let origin = try LoopbackOrigin { request in
      .stream { connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nETag: \"v1\"\r\n\r\na")
        goOn.wait()
        connection.send("b")
      }
    }
    defer { origin.stop() }
    let first = downloads.get(origin.url())
    while origin.requests.isEmpty { usleep(1000) }
    let second = downloads.get(origin.url())
    let third = downloads.get(origin.url())
    third.cancel()
    goOn.signal()
    XCTAssertEqual(try first.wait(), try second.wait())
    XCTAssertEqual(try text(try first.wait()), "ab")
    XCTAssertEqual(origin.requests.count, 1)
  }

  func testALoadAboveTheLevelIsKeptAndReloaded() async throws {
    let version = Lock(1)
    let origin = try LoopbackOrigin { _ in
      let version = version.withLock { $0 }
      return .respond(headers: ["ETag": "\"v\(version)\""], body: "version \(version)")
    }
    defer { origin.stop() }
    let pages = .files(storage) + downloads.pooled()
    let first = try text(try await pages.value(for: origin.url("/a.html")))
    version.withLock { $0 = 2 }
    let again = try await pages.value(for: origin.url("/a.html"))
    XCTAssertEqual([first, try text(again)], ["version 1", "version 1"])
    XCTAssertEqual(again.pathExtension, "html")
    let reloaded = try text(try await pages.reloading.value(for: origin.url("/a.html")))
    XCTAssertEqual(reloaded, "version 2")
    try await pages.removeValue(for: origin.url("/a.html"))
    XCTAssertEqual(names(in: storage.directory.path), [])
  }

  func testASilentOriginIsAbandoned() async throws {
    let (clock, time) = TimeSource.manual()
    let origin = try LoopbackOrigin { _ in
      .stream { connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nETag: \"v1\"\r\n\r\na")
        connection.waitUntilClosed()
      }
    }
    defer { origin.stop() }
    let downloads = Fetcher.downloads(
      into: storage, session: NetworkSession(), timeout: .seconds(9), clock: clock)
    let get = downloads.get(origin.url())
    let part = "\(storage.directory.path)/\(FileDirectory.name(of: origin.url()))~part"
    while (try? Data(contentsOf: URL(fileURLWithPath: part)))?.isEmpty != false {
      await Task.yield()
    }
    while get.outcome == nil {
      time.advance(by: .seconds(9))
      await Task.yield()
    }
    guard case .deadlinePassed(.seconds(9))? = (get.outcome?.error as? NetworkError)?.reason else {
      return XCTFail("\(get.outcome as Any)")
    }
    XCTAssertEqual(names(in: storage.directory.path).count, 2)
  }

  func testTheProgressIncludesWhatHasArrivedBefore() async throws {
    let (goOn, session, url) = (DispatchSemaphore(value: 0), NetworkSession(), Lock<URL?>(nil))
    let origin = try LoopbackOrigin { request in
      if Self.start(request) == nil { return Self.reply(to: request, ["ETag: \"v1\""]) }
      return .stream { connection in
        connection.send(
          "HTTP/1.1 206 X\r\nContent-Length: 30000\r\nETag: \"v1\"\r\n"
            + "Content-Range: bytes 20000-49999/50000\r\n\r\n")
        connection.send(String(Self.body.dropFirst(20_000).prefix(5_000)))
        goOn.wait()
        connection.send(String(Self.body.dropFirst(25_000)))
      }
    }
    defer { origin.stop() }
    url.withLock { $0 = origin.url() }
    let downloads = Fetcher.downloads(into: storage, session: session)
    XCTAssertThrowsError(try downloads.get(origin.url()).wait())
    let seen = Lock<[LoadProgress]>([])
    let (clock, time) = TimeSource.manual()
    let waiter = Task {
      try await session.reportingProgress(of: origin.url(), clock: clock) { progress in
        seen.withLock { $0.append(progress) }
      } during: {
        try await downloads.value(for: origin.url())
      }
    }
    let expected = LoadProgress(received: 25_000, expected: 50_000)
    while !seen.withLock({ $0.contains(expected) }) {
      time.advance(by: .milliseconds(250))
      await Task.yield()
    }
    goOn.signal()
    let file = try await waiter.value
    XCTAssertEqual(try text(file), Self.body)
    XCTAssertNil(session.running.transfer(of: origin.url()))
  }

  func testAClosedOriginLoadsNothing() async throws {
    let origin = try LoopbackOrigin { Self.reply(to: $0, ["ETag: \"v1\""], piece: .max) }
    defer { origin.stop() }
    let pages = .files(storage) + downloads
    let file = try await pages.value(for: origin.url())
    try await pages.close()
    do {
      _ = try await pages.value(for: origin.url("/other"))
      XCTFail("The cache is closed.")
    } catch { XCTAssertTrue(error.isClosed, "\(error)") }
    XCTAssertEqual(try text(file), Self.body)
    XCTAssertEqual(origin.requests.count, 1)
  }
}
