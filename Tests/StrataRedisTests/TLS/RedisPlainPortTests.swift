import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests clients that use TLS with a server that doesn't, and clients that should use TLS.
final class RedisPlainPortTests: TLSCase {
  func testAPasswordIsNotSentToAServerThatExpectsTLS() throws {
    let process = try secureProcess(options: ["--requirepass", "hunter2"])
    defer { process.remove() }
    let port = try XCTUnwrap(process.securePort)
    check(
      try RedisServer("redis://:hunter2@127.0.0.1:\(port)", deadline: .seconds(60)),
      failsWith: "rediss")
    check(try RedisServer("redis://127.0.0.1:\(port)", deadline: .seconds(60)), failsWith: "rediss")
    for ending: [UInt8] in [[], [21, 3, 3, 0, 2, 2, 40]] {
      let (received, listener) = (Lock<[UInt8]>([]), try ListeningSocket())
      defer { listener.stop() }
      listener.accept { descriptor in
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        received.withLock { $0 += buffer[..<max(0, count)] }
        _ = RawClient.write(ending, to: descriptor)
        _ = closeDescriptor(descriptor)
      }
      check(
        try RedisServer("redis://:hunter2@127.0.0.1:\(listener.port)", deadline: .seconds(60)),
        failsWith: "rediss")
      let text = received.withLock { String(decoding: $0, as: UTF8.self) }
      XCTAssertTrue(text.contains("HELLO") && !text.contains("hunter2"), text)
    }
  }

  func testAServerWithoutTLS() throws {
    let fake = try FakeRedis { _, _ in .bytes("-ERR\r\n") }
    // A plain server waits for the end of a line, and a handshake may contain none.
    let silent = try RedisServer(
      "rediss://:hunter2@127.0.0.1:\(fake.port)", tls: trusting, deadline: .milliseconds(300))
    check(silent, failsWith: "TLS")
    for answer in ["-ERR unknown command\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n"] {
      let listener = try ListeningSocket()
      defer { listener.stop() }
      listener.accept { descriptor in
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = recv(descriptor, &buffer, buffer.count, 0)
        _ = RawClient.write(Array(answer.utf8), to: descriptor)
        _ = recv(descriptor, &buffer, buffer.count, 0)
        _ = closeDescriptor(descriptor)
      }
      check(
        try RedisServer(
          "rediss://:hunter2@127.0.0.1:\(listener.port)", tls: trusting, deadline: .seconds(60)),
        failsWith: "without TLS", "redis instead of rediss")
    }
  }

  func testAServerThatEndsTheHandshake() throws {
    let listener = try ListeningSocket()
    defer { listener.stop() }
    listener.accept { _ = closeDescriptor($0) }
    check(
      try RedisServer(
        "rediss://:hunter2@127.0.0.1:\(listener.port)", tls: trusting, deadline: .seconds(60)),
      failsWith: "during the TLS handshake", "uses TLS on this port")
  }

  func testAServerThatStopsDuringTheHandshake() throws {
    let process = try secureProcess()
    defer { process.remove() }
    kill(process.processID, SIGSTOP)
    let server = try RedisServer(
      "rediss://localhost:\(try XCTUnwrap(process.securePort))", tls: trusting,
      deadline: .milliseconds(100))
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    XCTAssertThrowsError(try level.get("k").settled())
    var last: (any Error)?
    for _ in 0..<5_000 {
      last = level.get("k").outcome?.error ?? last
      if case RedisError.tls? = last as? RedisError { break }
      usleep(1000)
    }
    XCTAssertTrue(
      "\(last, default: "none")".contains("TLS handshake within"), "\(last, default: "")")
    kill(process.processID, SIGCONT)
    RedisCase.wait { (try? level.set("k", Data()).settled()) != nil }
  }

  func testAServerWithAnOldVersionOfTLS() throws {
    let (port, pair) = (try RedisProcess.freePort(), try certificates.loopback())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = [
      "s_server", "-accept", "\(port)", "-cert", pair.certificate, "-key", pair.key, "-tls1_1",
      "-cipher", "ALL:@SECLEVEL=0", "-quiet",
    ]
    process.standardInput = Pipe()  // The server ends with its input.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    RedisCase.wait {
      guard let socket = RawClient.connected(to: port) else { return false }
      _ = closeDescriptor(socket)
      return true
    }
    check(
      try RedisServer("rediss://localhost:\(port)", tls: trusting, deadline: .seconds(60)),
      failsWith: "version of TLS", "1.2")
  }
}

private let closeDescriptor = close(_:)
