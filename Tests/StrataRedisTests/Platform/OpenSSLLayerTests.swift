#if canImport(Glibc)
  import Foundation
  import XCTest

  @testable import StrataRedis

  /// Tests the encryption of one connection.
  final class OpenSSLLayerTests: TLSCase {
    /// Connects, sends a request, and returns the ticket of the connection.
    private func exchange(
      _ context: TLSContext, _ port: UInt16, _ ticket: (any TLSTicket)?
    ) throws -> (isResumed: Bool, ticket: (any TLSTicket)?) {
      var socket = RedisSocket(descriptor: try XCTUnwrap(RawClient.connected(to: port)))
      let layer = try XCTUnwrap(
        context.layer(on: socket.descriptor, for: "localhost", resuming: ticket) as? OpenSSLLayer)
      socket.layer = layer
      while try !layer.shakeHands() {}
      let request = Array("PING\r\n".utf8)
      XCTAssertEqual(request.withUnsafeBytes { socket.write($0) }, .moved(request.count))
      var reply = [UInt8](repeating: 0, count: 100)
      XCTAssertEqual(reply.withUnsafeMutableBytes { socket.read(into: $0) }, .moved(7))
      XCTAssertFalse(layer.hasInput)
      let isResumed = layer.isResumed
      return (isResumed, socket.close())
    }

    func testALaterConnectionResumesTheSession() throws {
      for version in ["TLSv1.2", "TLSv1.3"] {
        let process = try secureProcess(options: ["--tls-protocols", version])
        defer { process.remove() }
        let port = try XCTUnwrap(process.securePort)
        let context = try TLSContext(trusting)
        let first = try exchange(context, port, nil)
        XCTAssertFalse(first.isResumed)
        let second = try exchange(context, port, try XCTUnwrap(first.ticket))
        XCTAssertTrue(second.isResumed, version)
        XCTAssertTrue(try exchange(context, port, try XCTUnwrap(second.ticket)).isResumed, version)
        let other = try exchange(try TLSContext(trusting), port, second.ticket)
        XCTAssertFalse(other.isResumed, "Another context may trust other authorities.")
      }
    }

    func testAMissingLibraryIsNamed() {
      for (file, part) in [("libnothing.so.3", "libnothing"), ("libc.so.6", "OpenSSL_version_num")]
      {
        XCTAssertThrowsError(try OpenSSL(file: file)) { error in
          XCTAssertTrue("\(error)".contains(part), "\(error)")
          XCTAssertTrue("\(error)".contains("Install OpenSSL 3"), "\(error)")
        }
      }
    }
  }
#endif
