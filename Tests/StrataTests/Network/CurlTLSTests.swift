#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import FoundationNetworking
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  /// Tests TLS with a server that the `openssl` program runs. Skipped if `openssl` isn't installed.
  final class CurlTLSTests: XCTestCase {
    private static let program = "/usr/bin/openssl"
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-tls-\(UUID().uuidString)")

    override func setUpWithError() throws {
      unsetenv("SSL_CERT_FILE")  // A test sets the variable if necessary.
      guard FileManager.default.isExecutableFile(atPath: Self.program) else {
        throw XCTSkip("there is no \(Self.program)")
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let certificate = try start(
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem")
      certificate.process.waitUntilExit()
    }

    override func tearDown() {
      unsetenv("SSL_CERT_FILE")
      try? FileManager.default.removeItem(at: folder)
    }

    private func start(_ arguments: String...) throws -> (
      process: Process, input: FileHandle, output: FileHandle
    ) {
      let (process, input, output) = (Process(), Pipe(), Pipe())
      process.executableURL = URL(fileURLWithPath: Self.program)
      process.arguments = arguments
      process.currentDirectoryURL = folder
      (process.standardInput, process.standardOutput) = (input, output)
      process.standardError = FileHandle.nullDevice
      try process.run()
      return (process, input.fileHandleForWriting, output.fileHandleForReading)
    }

    /// Ends a server with SIGKILL, because the server may block SIGTERM. The server inherits its
    /// signal mask from the test's thread.
    private static func stop(_ server: Process) {
      if server.isRunning { kill(server.processIdentifier, SIGKILL) }
    }

    /// Reads the output of a server, and returns the first line that satisfies the condition.
    private func line(
      of output: FileHandle, where isWanted: (String) -> Bool
    ) throws -> String {
      var text = ""
      while true {
        let data = output.availableData
        guard !data.isEmpty else { throw XCTSkip("openssl ended: \(text)") }
        text += String(decoding: data, as: UTF8.self)
        if let line = text.split(separator: "\n").map(String.init).first(where: isWanted) {
          return line
        }
      }
    }

    /// Sends a request to a server whose response consists of a status line and then `text`.
    private func result(sending text: String) async throws -> ResultOfTLS {
      let server = try start(
        "s_server", "-accept", "127.0.0.1:0", "-key", "key.pem", "-cert", "cert.pem")
      defer { Self.stop(server.process) }
      let port = try line(of: server.output) { $0.hasPrefix("ACCEPT") }
        .split(separator: ":").last.map(String.init)
      let url = try XCTUnwrap(URL(string: "https://127.0.0.1:\(port ?? "0")/page"))
      let receiver = ResultOfTLS(ended: expectation(description: "end")) {
        Self.stop(server.process)
      }
      let settings = CurlSettings(connectionsPerHost: 1, idleTimeout: .seconds(60))
      let transport = try CurlTransport(CurlLibrary.shared.get(), settings)
      _ = transport.send(try OutgoingRequest(URLRequest(url: url)), to: receiver)
      // The output of the server ends early if the exchange ends before the server gets a request.
      if (try? line(of: server.output) { $0.hasPrefix("GET") }) != nil {
        server.input.write(Data("HTTP/1.1 200 OK\r\n\(text)".utf8))
      }
      await fulfillment(of: [receiver.ended], timeout: 300)
      return receiver
    }

    func testACertificateThatTheSystemDoesntTrustIsRefused() async throws {
      let result = try await result(sending: "")
      XCTAssertEqual((result.error as? CurlError)?.code, 60)
    }

    /// The text of each failure names its cause, so each failure has another remedy.
    func testAFailureNamesTheFaultOfTheCertificate() async throws {
      let selfSigned = try await result(sending: "")
      setenv("SSL_CERT_FILE", folder.appendingPathComponent("cert.pem").path, 1)
      let expiry = try start(
        "x509", "-in", "cert.pem", "-signkey", "key.pem", "-days", "-1", "-out", "cert.pem")
      expiry.process.waitUntilExit()
      let expired = try await result(sending: "")
      let renewal = try start(
        "req", "-x509", "-key", "key.pem", "-days", "2", "-subj", "/CN=other.test", "-addext",
        "subjectAltName=DNS:other.test", "-out", "cert.pem")
      renewal.process.waitUntilExit()
      let otherHost = try await result(sending: "")
      for (result, part) in [
        (selfSigned, "self-signed"), (otherHost, "another host"), (expired, "expired"),
      ] {
        let error = try XCTUnwrap(result.error, part)
        let text = NetworkError(.transport(error), url: nil).description
        XCTAssertTrue(text.contains(part), text)
      }
    }

    func testABodyOverTLSHasALength() async throws {
      setenv("SSL_CERT_FILE", folder.appendingPathComponent("cert.pem").path, 1)
      let result = try await result(sending: "Content-Length: 4\r\n\r\nabc\n")
      XCTAssertNil(result.error)
    }

    /// libcurl can't detect whether a TLS connection ended properly. An intermediary may have
    /// shortened the body, so the end of the connection isn't accepted as the end of the body.
    func testABodyOverTLSDoesntEndWithTheConnection() async throws {
      setenv("SSL_CERT_FILE", folder.appendingPathComponent("cert.pem").path, 1)
      let result = try await result(sending: "\r\nabc\n")
      guard case .malformedResponse? = result.error as? NetworkError.Reason else {
        return XCTFail("\(String(describing: result.error))")
      }
    }
  }

  /// Receives a response. At the end of the response, calls a closure and then signals the
  /// expectation.
  private final class ResultOfTLS: ResponseReceiver {
    let ended: XCTestExpectation
    private let state = Lock<(any Error)?>(nil)

    private let atEnd: @Sendable () -> Void

    init(ended: XCTestExpectation, atEnd: @escaping @Sendable () -> Void) {
      (self.ended, self.atEnd) = (ended, atEnd)
    }

    var error: (any Error)? { state.withLock { $0 } }

    func receive(_ head: ResponseHead) -> Bool { head.status == 200 }

    func receive(_ piece: UnsafeRawBufferPointer) -> Bool { true }

    func finish(_ error: (any Error)?) {
      state.withLock { $0 = error }
      atEnd()
      ended.fulfill()
    }
  }
#endif
