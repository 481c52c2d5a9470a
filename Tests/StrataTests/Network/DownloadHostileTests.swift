import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataHTTP
@testable import StrataNetwork
@testable import StrataVerbs

/// Downloads from servers that answer a request for the missing bytes in ways of their own.
final class DownloadHostileTests: DownloadCase {
  /// Interrupts a download, and returns the value of the next get with a server that answers the
  /// range request in its own way.
  private func value(
    _ answer: @escaping @Sendable (LoopbackOrigin.Request) -> LoopbackOrigin.Reply
  ) throws -> (value: Result<String, any Error>, requests: [String]) {
    let origin = try LoopbackOrigin { request in
      if Self.start(request) != nil { return answer(request) }
      let isFirst = request.path == "/first"
      return Self.reply(to: request, ["ETag: \"v1\""], piece: isFirst ? 20_000 : .max)
    }
    defer { origin.stop() }
    // The server can't count requests, so the first one has its own path, and the file is renamed.
    XCTAssertThrowsError(try downloads.get(origin.url("/first")).wait())
    let (one, two) = (origin.url("/first"), origin.url("/next"))
    for mark in ["~part", "~note"] {
      let path = storage.directory.path
      try FileManager.default.moveItem(
        atPath: "\(path)/\(FileDirectory.name(of: one))\(mark)",
        toPath: "\(path)/\(FileDirectory.name(of: two))\(mark)")
    }
    let value = Result { try text(try downloads.get(two).wait()) }
    try storage.directory.removeAll()
    return (value, Array(ranges(origin).dropFirst()))
  }

  func testAnotherVersionBeginsAgain() throws {
    let other = String(repeating: "z", count: 30_000)
    let (value, requests) = try value { _ in
      Self.response(200, ["ETag: \"v2\""], other[...])
    }
    XCTAssertEqual(try value.get(), other)
    XCTAssertEqual(requests.count, 1)
  }

  func testAPartThatDoesNotFitBeginsAgain() throws {
    let rest = Self.body.dropFirst(20_000)
    let fields: [[String]] = [
      [],  // No range at all.
      ["ETag: \"v1\"", "Content-Range: bytes 0-29999/50000"],
      ["ETag: \"v1\"", "Content-Range: bytes 20000-49999/60000"],
      ["ETag: \"v1\"", "Content-Range: bytes 20000-49999/*"],
      ["ETag: \"v1\"", "Content-Range: bytes 20001-49999/50000"],
      ["ETag: \"v1\"", "Content-Range: pages 20000-49999/50000"],
      ["ETag: \"v2\"", "Content-Range: bytes 20000-49999/50000"],
      ["ETag: W/\"v1\"", "Content-Range: bytes 20000-49999/50000"],
      ["Content-Range: bytes 20000-49999/50000"],  // It must repeat its tag.
      ["ETag: \"v1\"", "Content-Encoding: gzip", "Content-Range: bytes 20000-49999/50000"],
      [
        "ETag: \"v1\"", "Content-Range: bytes 20000-49999/50000",
        "Content-Type: multipart/byteranges; boundary=x",
      ],
    ]
    for fields in fields {
      let (value, requests) = try value { _ in Self.response(206, fields, rest) }
      XCTAssertEqual(try value.get(), Self.body, "\(fields)")
      XCTAssertEqual(requests.last, "", "\(fields)")
      XCTAssertEqual(requests.count, 2, "\(fields)")
    }
    let (value, requests) = try value { _ in Self.response(416, [], "no such range") }
    XCTAssertEqual(try value.get(), Self.body)
    XCTAssertEqual(requests.count, 2)
  }

  private static func chunked(_ body: Substring) -> LoopbackOrigin.Reply {
    let head = [
      "HTTP/1.1 206 X", "ETag: \"v1\"", "Content-Range: bytes 20000-49999/50000",
      "Transfer-Encoding: chunked",
    ].joined(separator: "\r\n")
    let size = String(body.utf8.count, radix: 16)
    return .raw(Array("\(head)\r\n\r\n\(size)\r\n\(body)\r\n0\r\n\r\n".utf8))
  }

  func testAPartOfAnotherLengthThanAnnouncedIsAnError() throws {
    let rest = Self.body.dropFirst(20_000)
    XCTAssertEqual(try value { _ in Self.chunked(rest) }.value.get(), Self.body)
    for (body, reason) in [(rest + "x", "malformedResponse"), (rest.dropLast(), "incompleteBody")] {
      let (value, requests) = try value { _ in Self.chunked(body) }
      XCTAssertThrowsError(try value.get()) { error in
        XCTAssertTrue("\((error as? NetworkError)?.reason as Any)".contains(reason), "\(error)")
      }
      XCTAssertEqual(requests.count, 1)
    }
  }

  func testAnErrorKeepsWhatHasArrivedUnlessTheResourceIsGone() throws {
    for (status, isKept) in [(503, true), (404, false), (410, false), (403, true)] {
      let origin = try LoopbackOrigin { request in
        Self.start(request) == nil
          ? Self.reply(to: request, ["ETag: \"v1\""]) : .respond(status: status, body: "sorry")
      }
      defer { origin.stop() }
      XCTAssertThrowsError(try downloads.get(origin.url()).wait())
      XCTAssertThrowsError(try downloads.get(origin.url()).wait()) { error in
        XCTAssertEqual((error as? NetworkError)?.status, status)
      }
      XCTAssertEqual(names(in: storage.directory.path).count, isKept ? 2 : 0, "\(status)")
      try storage.directory.removeAll()
    }
  }

  func testABodyBeyondTheCapacityIsNotLoaded() throws {
    let small = FileStorage("small", in: URL(fileURLWithPath: base), capacity: 49_999)
    let downloads = Fetcher.downloads(into: small, session: NetworkSession())
    for fields in [["ETag: \"v1\""], []] {
      let origin = try LoopbackOrigin { request in
        if !fields.isEmpty { return Self.reply(to: request, fields, piece: .max) }
        return .raw(Array("HTTP/1.1 200 OK\r\n\r\n\(Self.body)".utf8))  // Ends with the connection.
      }
      defer { origin.stop() }
      XCTAssertThrowsError(try downloads.get(origin.url()).wait()) { error in
        guard case .tooLarge(49_999)? = (error as? NetworkError)?.reason else {
          return XCTFail("\(error)")
        }
      }
      XCTAssertEqual(names(in: small.directory.path), [])
    }
  }
}
