import Foundation
import XCTest

/// An authority for tests, which issues certificates with the command `openssl`.
final class Certificates {
  struct Pair {
    let certificate: String
    let key: String
  }

  /// Returns the authority that all tests share.
  static func shared() throws -> Certificates { try sharedAuthority.get() }

  nonisolated(unsafe) private static let sharedAuthority = Result {
    let authority = try Certificates("Strata")
    atexit { try? Certificates.shared().remove() }
    return authority
  }

  private static let openssl = "/usr/bin/openssl"
  let folder: URL
  private let authority: Pair

  /// The path of the authority's certificate.
  var file: String { authority.certificate }

  /// - Throws: `XCTSkip` if OpenSSL isn't installed.
  init(_ name: String) throws {
    guard access(Self.openssl, X_OK) == 0 else {
      throw XCTSkip("openssl isn't installed: apt-get install openssl")
    }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "strata-certificates-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    authority = Pair(
      certificate: folder.appendingPathComponent("ca.pem").path,
      key: folder.appendingPathComponent("ca.key").path)
    try Self.run(
      ["req", "-x509"] + Self.newKey(authority.key)
        + ["-days", "9", "-subj", "/CN=\(name)", "-out", authority.certificate])
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Issues a certificate.
  ///
  /// - Parameters:
  ///   - names: The subject's alternative names, such as `DNS:localhost`.
  ///   - days: The days until the certificate expires. A negative number makes it expired.
  func issue(_ names: [String], days: Int = 2) throws -> Pair {
    let base = folder.appendingPathComponent(UUID().uuidString).path
    let pair = Pair(certificate: base + ".pem", key: base + ".key")
    try Self.run(
      ["req", "-new"] + Self.newKey(pair.key)
        + [
          "-subj", "/CN=test", "-addext", "subjectAltName=" + names.joined(separator: ","), "-out",
          base + ".csr",
        ])
    try Self.run([
      "x509", "-req", "-in", base + ".csr", "-CA", authority.certificate, "-CAkey", authority.key,
      "-days", "\(days)", "-copy_extensions", "copy", "-out", pair.certificate,
    ])
    return pair
  }

  /// The certificate of the servers in tests, for `localhost` and the loopback addresses.
  func loopback() throws -> Pair { try issued.get() }

  private lazy var issued = Result { try issue(["DNS:localhost", "IP:127.0.0.1", "IP:::1"]) }

  /// Returns the path of an encrypted copy of a key.
  func encrypted(_ key: String, password: String) throws -> String {
    let path = folder.appendingPathComponent(UUID().uuidString + ".key").path
    try Self.run([
      "pkcs8", "-topk8", "-in", key, "-passout", "pass:" + password, "-out", path,
    ])
    return path
  }

  private static func newKey(_ path: String) -> [String] {
    ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", path]
  }

  private static func run(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: openssl)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
  }
}
