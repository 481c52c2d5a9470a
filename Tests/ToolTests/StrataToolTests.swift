import Foundation
import Strata
import StrataHTTP
import XCTest

@testable import strata_tool

/// Tests the tool by running it as a shell does. Each run has a separate temporary directory.
final class StrataToolTests: XCTestCase {
  func testHelpExitsWithSuccessAndNamesEveryCommand() throws {
    for argument in ["--help", "-h", "help"] {
      let end = try run([argument])
      XCTAssertEqual(end.status, 0)
      XCTAssertEqual(end.errors, "")
      for command in Command.all { XCTAssertTrue(end.output.contains(command.name), end.output) }
    }
  }

  func testUnknownArgumentsExitWithUsage() throws {
    for arguments in [["tuor"], ["--fast"], ["tour", "--fast"], ["tour", "tour"]] {
      let end = try run(arguments)
      XCTAssertEqual(end.status, 2, "\(arguments)")
      XCTAssertEqual(end.output, "")
      XCTAssertTrue(end.errors.contains("'\(arguments[arguments.count - 1])'"), end.errors)
      XCTAssertTrue(end.errors.contains("--help"), end.errors)
    }
  }

  func testTheTourSucceedsAndLeavesNoFiles() throws {
    let end = try run([])
    XCTAssertEqual(end.status, 0, end.output + end.errors)
    XCTAssertEqual(end.errors, "")
    for step in Tour.steps { XCTAssertTrue(end.output.contains(step.title), step.title) }
    XCTAssertFalse(end.output.contains("\u{1B}"), "The output to a pipe should have no colors.")
    XCTAssertEqual(end.output.split(separator: "\n").filter { $0.count > 100 }, [])
    XCTAssertEqual(end.leftovers, [])
  }

  func testAnInterruptedTourLeavesNoFiles() throws {
    for (signal, status) in [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] {
      let end = try run([], at: "cold get", { XCTAssertEqual(kill($0, signal), 0) })
      XCTAssertEqual(end.status, Int32(status))
      XCTAssertEqual(end.seen.count, 1, "The tour should have created a directory.")
      XCTAssertEqual(end.leftovers, [])
    }
  }

  func testATourWithAClosedOutputLeavesNoFiles() throws {
    let end = try run([], at: "cold get", closing: true)
    XCTAssertEqual(end.status, 1)
    XCTAssertEqual(end.seen.count, 1)
    XCTAssertTrue(end.errors.contains("standard output"), end.errors)
    XCTAssertEqual(end.leftovers, [])
  }

  func testServingPrintsItsAddressAndLastsUntilInterrupted() throws {
    let end = try run(["serve"], at: "README.md\n") { XCTAssertEqual(kill($0, SIGTERM), 0) }
    XCTAssertEqual(end.status, 143)
    XCTAssertNotNil(end.output.firstMatch(of: /^\d+ pages at http:\/\/127\.0\.0\.1:\d+\/\n/))
  }

  func testAProxyEndsCleanlyAndResumesFromItsDirectory() throws {
    let (folder, requests) = (try TemporaryDirectory(), Lock(0))
    defer { folder.remove() }
    let page = String(repeating: "page", count: 1 << 19)
    let replies = Fetcher<URLRequest, NetworkResponse> { request throws -> NetworkResponse in
      requests.withLock { $0 += 1 }
      let now = TimeSource.system.now()
      return NetworkResponse(
        status: 200, fields: ["Cache-Control": "max-age=600"], body: Data(page.utf8),
        url: request.url ?? folder.url, requestTime: now, responseTime: now)
    }
    let handler = ProxyHandler(
      HTTPCache(storedIn: .empty, from: replies), origin: URL(string: "http://x")!, log: { _ in })
    let origin = try Proxy(handler, port: 0)
    defer { origin.stop() }
    let (probe, port) = try Socket.listening()
    probe.close()
    let arguments = [
      "proxy", "http://127.0.0.1:\(origin.port)", "--port", "\(port)", "--folder", folder.url.path,
    ]
    for kind in ["miss", "hit "] {
      let end = try run(arguments, at: "stored in") { process in
        let answer = try? ProxyClient(port).exchange(
          "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        XCTAssertEqual(answer?.body.utf8.count, page.utf8.count)
        XCTAssertEqual(kill(process, SIGTERM), 0)
      }
      XCTAssertEqual(end.status, 0)
      XCTAssertTrue(end.output.contains("\n\(kind)"), end.output)
      XCTAssertTrue(
        end.output.contains("\nresponses are stored in \(folder.url.path)/proxy-http-"), end.output)
    }
    XCTAssertEqual(requests.withLock { $0 }, 1)
  }

  func testAProxyNamesAFolderThatItCannotUse() throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let file = folder.url.appendingPathComponent("file")
    try Data("text".utf8).write(to: file)
    for place in [file.path, file.path + "/below", "/proc/strata"] {
      let end = try run(["proxy", "http://127.0.0.1:1", "--port", "0", "--folder", place])
      XCTAssertEqual(end.status, 1, place)
      XCTAssertEqual(end.output, "")
      XCTAssertTrue(
        end.errors.hasPrefix("strata-tool: the responses can't be stored in \(place)/"), end.errors)
      XCTAssertTrue(end.errors.hasSuffix("To use another directory: --folder F\n"), end.errors)
    }
    XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "text")
  }

  func testAProxyEndsOnAFullVolumeAndWithoutPermission() throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let proxy = #""$0" proxy http://127.0.0.1:1 --port 0 --folder"#
    let full = """
      mount -t tmpfs -o size=64k tmpfs "$1" || exit 77
      head -c 100000 /dev/zero >"$1/fill"
      exec \(proxy) "$1"
      """
    let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups"
    let scenes = [
      ("no room", "exec unshare -m /bin/bash -c '\(full)' \"$0\" \"$1\" 2>&1"),
      (
        "ermission denied",
        "mkdir -m 0 \"$1/closed\"; exec \(geteuid() == 0 ? nobody : "") \(proxy) \"$1/closed\" 2>&1"
      ),
    ]
    for (reason, script) in scenes {
      let end = try run(["-c", script, folder.url.path], shell: true)
      // Some systems can't make the scene.
      guard end.output.contains("strata-tool:") else { continue }
      XCTAssertEqual(end.status, 1, end.output)
      XCTAssertTrue(end.output.contains("the responses can't be stored in "), end.output)
      XCTAssertTrue(end.output.contains(reason), end.output)
      XCTAssertTrue(end.output.hasSuffix(". To use another directory: --folder F\n"), end.output)
    }
  }

  func testServingAMissingDirectoryFails() throws {
    let end = try run(["serve", "/no/such/folder"])
    XCTAssertEqual(end.status, 1)
    XCTAssertTrue(end.errors.contains("there is no directory /no/such/folder"), end.errors)
  }

  func testTheToolIgnoresAnHTTPProxy() throws {
    let proxies = ["http_proxy", "all_proxy"].map { ($0, "http://127.0.0.1:1") }
    let end = try run([], environment: Dictionary(uniqueKeysWithValues: proxies))
    XCTAssertEqual(end.status, 0, end.output)
  }

  func testAMissingTemporaryDirectoryIsAnError() throws {
    let end = try run([], environment: ["TMPDIR": "/dev/null"])
    XCTAssertEqual(end.status, 1)
    XCTAssertTrue(
      end.errors.contains("can't create a temporary directory in /dev/null"), end.errors)
  }
}
