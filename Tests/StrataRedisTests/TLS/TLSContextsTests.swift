import Foundation
import XCTest

@testable import StrataRedis

/// Tests the files that connections with TLS read.
final class TLSContextsTests: TLSCase {
  private func fault(_ settings: RedisTLS) -> String {
    do {
      _ = try TLSContexts(settings).context()
      return "none"
    } catch { return "\(error)" }
  }

  func testAContextIsMadeOnceUntilAFileChanges() throws {
    let authority = try Certificates("Mine")
    defer { authority.remove() }
    let contexts = TLSContexts(RedisTLS(caFile: authority.file))
    let first = try contexts.context()
    XCTAssertTrue(try contexts.context() === first)
    try FileManager.default.removeItem(atPath: authority.file)
    XCTAssertThrowsError(try contexts.context())
    try FileManager.default.copyItem(atPath: certificates.file, toPath: authority.file)
    let second = try contexts.context()
    XCTAssertFalse(second === first)
    XCTAssertTrue(try contexts.context() === second)
  }

  func testFaultyFilesAreNamed() throws {
    let pair = try certificates.loopback()
    let folder = certificates.folder.path
    let (text, empty) = (folder + "/text", folder + "/empty")
    try Data("no certificate".utf8).write(to: URL(fileURLWithPath: text))
    try Data().write(to: URL(fileURLWithPath: empty))
    for (settings, parts): (RedisTLS, [String]) in [
      (RedisTLS(caFile: "/nowhere/ca.pem"), ["/nowhere/ca.pem", "No such file", "caFile"]),
      (RedisTLS(caFile: text), [text, "certificates of authorities", "caFile"]),
      (RedisTLS(caFile: empty), ["empty", "caFile"]),
      (RedisTLS(caFile: folder), ["folder", "caFile"]),
      (RedisTLS(certificate: "/nowhere/c.pem"), ["/nowhere/c.pem", "Correct certificate"]),
      (RedisTLS(certificate: text, key: pair.key), [text, "Correct certificate"]),
      (RedisTLS(certificate: pair.certificate), ["private key", "Correct key"]),
      (RedisTLS(certificate: pair.certificate, key: "/nowhere/k.pem"), ["/nowhere/k.pem", "key"]),
      (RedisTLS(certificate: pair.certificate, key: text), [text, "Correct key"]),
      (RedisTLS(key: pair.key), ["key without a certificate"]),
    ] {
      let fault = fault(settings)
      for part in parts { XCTAssertTrue(fault.contains(part), "\(part): \(fault)") }
    }
  }

  /// Without a password, OpenSSL would read one from the terminal.
  func testAnEncryptedKey() throws {
    let pair = try certificates.loopback()
    let key = try certificates.encrypted(pair.key, password: "hunter2")
    func fault(_ password: String?) -> String {
      self.fault(RedisTLS(certificate: pair.certificate, key: key, keyPassword: password))
    }
    XCTAssertEqual(fault("hunter2"), "none")
    XCTAssertTrue(fault(nil).contains("encrypted. Pass keyPassword"), fault(nil))
    XCTAssertTrue(fault("hunter3").contains("wrong. Correct keyPassword"), fault("hunter3"))
    let long = String(repeating: "x", count: 100_000)
    XCTAssertTrue(fault(long).contains("Correct keyPassword"), fault(long))
    var dumped = ""
    dump(RedisTLS(keyPassword: "hunter2"), to: &dumped)
    XCTAssertFalse(dumped.contains("hunter2"), dumped)
  }
}
