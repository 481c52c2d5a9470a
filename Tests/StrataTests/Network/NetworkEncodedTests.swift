import Foundation
import XCTest

@testable import StrataCore
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests that an encoded body is accepted only if it decodes within the limits and has the right
/// checksum.
final class NetworkEncodedTests: NetworkCase {
  private func reply(
    _ body: [UInt8], coding: String = "gzip", length: Int? = nil
  ) -> LoopbackOrigin.Reply {
    let announcement = length.map { "Content-Length: \($0)\r\n" } ?? ""
    let header = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: \(coding)\r\n"
    return .raw(Array("\(header)\(announcement)\r\n".utf8) + body)
  }

  func testAnEncodedBodyIsDecoded() async throws {
    try await onEachTransport {
      guard usesCurl else { return }
      let body = GzipBodies.hello
      for coding in ["gzip", "X-GZIP", "identity, gzip"] {
        let result = try await value(from: reply(body, coding: coding, length: body.count))
        XCTAssertEqual(result.text, "hello, hello, hello, hello\n", coding)
      }
    }
  }

  #if canImport(FoundationNetworking)
    /// `URLSession` on Linux accepts an encoded body even if half of it is missing, so the level
    /// refuses every encoded body.
    func testURLSessionNeitherRequestsNorAcceptsEncodedBodies() async throws {
      try await onEachTransport {
        guard !usesCurl else { return }
        let reply = reply(GzipBodies.hello)
        let origin = try LoopbackOrigin { _ in reply }
        defer { origin.stop() }
        let result = await value(of: URLRequest(url: origin.url()))
        XCTAssertEqual(result.kind, "undecodableBody")
        XCTAssertEqual(origin.requests.first?.headers["accept-encoding"], "identity")
      }
    }
  #endif

  /// In an earlier version, a truncated body was accepted as a value if `Content-Length` stated the
  /// truncated body's length.
  func testEveryShortenedBodyIsRefused() async throws {
    try await onEachTransport {
      guard usesCurl else { return }
      let body = GzipBodies.hello
      for count in 1..<body.count {
        for length in [nil, count] {
          let result = try await value(from: reply(Array(body.prefix(count)), length: length))
          XCTAssertEqual(result.kind, "undecodableBody", "\(count)")
        }
      }
    }
  }

  /// The test damages only bytes after the ten-byte gzip header. A decoder ignores some bytes of
  /// this header, such as the byte that identifies the encoder's file system.
  func testEveryDamagedBodyIsRefused() async throws {
    try await onEachTransport {
      guard usesCurl else { return }
      for index in GzipBodies.hello.indices.dropFirst(10) {
        var body = GzipBodies.hello
        body[index] ^= 0x10
        let result = try await value(from: reply(body, length: body.count))
        XCTAssertEqual(result.kind, "undecodableBody", "\(index)")
      }
    }
  }

  func testAnUnknownCodingIsAResponseButNotAValue() async throws {
    try await onEachTransport {
      let result = try await value(from: reply([1, 2, 3], coding: "zstd2", length: 3))
      XCTAssertTrue(["undecodableBody", "transport"].contains(result.kind), "\(result)")
    }
  }

  func testABombIsRefusedInBoundedMemory() async throws {
    try await onEachTransport {
      let bomb = GzipBodies.bomb(megabytes: 150)
      try await assertBounded(reply(bomb, length: bomb.count))
    }
  }

  /// The whole bomb arrives in one piece, so only the size limit can stop its decoding.
  func testABombInABombIsRefusedInBoundedMemory() async throws {
    try await onEachTransport {
      let bomb = GzipBodies.bombInBomb(megabytes: 300)
      XCTAssertLessThan(bomb.count, 1 << 15)
      try await assertBounded(reply(bomb, coding: "gzip, gzip"))
    }
  }

  func testFiveCodingsAreRefused() async throws {
    try await onEachTransport {
      let result = try await value(
        from: reply(GzipBodies.hello, coding: "gzip, gzip, gzip, gzip, gzip"))
      XCTAssertEqual(result.kind, "undecodableBody")
    }
  }

  private func assertBounded(_ reply: LoopbackOrigin.Reply, line: UInt = #line) async throws {
    guard usesCurl else { return }
    let before = Memory.resident
    Memory.resetPeak()
    let result = try await value(from: reply, maximumSize: 8 << 20)
    XCTAssertTrue(["tooLarge", "undecodableBody"].contains(result.kind), "\(result)", line: line)
    guard !Memory.isInstrumented else { return }
    XCTAssertLessThan(Memory.peak - before, 32 << 20, line: line)
  }
}
