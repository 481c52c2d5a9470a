import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataRedis
@testable import StrataVerbs

/// Tests encrypted connections to a real server.
final class RedisTLSTests: TLSCase {
  func testNamesAndAddressesOfTheCertificate() throws {
    let process = try secureProcess()
    defer { process.remove() }
    let port = try XCTUnwrap(process.securePort)
    for host in ["localhost", "127.0.0.1"] {
      try check(RedisServer("rediss://\(host):\(port)", tls: trusting, deadline: .seconds(60)))
    }
    try check(RedisServer("redis://127.0.0.1:\(port)", tls: trusting, deadline: .seconds(60)))
  }

  func testAnotherNameIsRefusedUnlessServerNameAllowsIt() throws {
    let process = try secureProcess(certificates.issue(["DNS:cache.internal"]))
    defer { process.remove() }
    let port = try XCTUnwrap(process.securePort)
    for host in ["localhost", "127.0.0.1"] {
      let address = "rediss://:hunter2@\(host):\(port)"
      check(
        try RedisServer(address, tls: trusting, deadline: .seconds(60)),
        failsWith: "isn't for \(host)",
        "serverName")
    }
    var settings = trusting
    settings.serverName = "cache.internal"
    try check(RedisServer("rediss://127.0.0.1:\(port)", tls: settings, deadline: .seconds(60)))
    settings.serverName = "cache.external"
    check(
      try RedisServer("rediss://127.0.0.1:\(port)", tls: settings, deadline: .seconds(60)),
      failsWith: "isn't for cache.external")
  }

  func testAnUnknownAuthorityAndAnExpiredCertificateAreNamed() throws {
    let process = try secureProcess()
    defer { process.remove() }
    let port = try XCTUnwrap(process.securePort)
    let other = try Certificates("Other")
    defer { other.remove() }
    let address = "rediss://:hunter2@localhost:\(port)"
    check(
      try RedisServer(address, tls: RedisTLS(caFile: other.file), deadline: .seconds(60)),
      failsWith: "authority", "caFile")
    let expired = try secureProcess(certificates.issue(["DNS:localhost"], days: -1))
    defer { expired.remove() }
    check(
      try RedisServer(
        "rediss://localhost:\(try XCTUnwrap(expired.securePort))", tls: trusting,
        deadline: .seconds(60)), failsWith: "expired", "Renew")
  }

  func testAServerThatChecksClients() throws {
    let process = try secureProcess(options: ["--tls-auth-clients", "yes"])
    defer { process.remove() }
    let address = "rediss://:hunter2@localhost:\(try XCTUnwrap(process.securePort))"
    func server(_ settings: RedisTLS, _ address: String = address) -> RedisServer {
      try! RedisServer(address, tls: settings, deadline: .seconds(60))
    }
    check(server(trusting), failsWith: "requires a client certificate", "Pass certificate")
    let own = try certificates.issue(["DNS:client"])
    let open = "rediss://localhost:\(try XCTUnwrap(process.securePort))"
    var settings = trusting
    (settings.certificate, settings.key) = (own.certificate, own.key)
    try check(server(settings, open))

    let other = try Certificates("Other")
    defer { other.remove() }
    let stranger = try other.issue(["DNS:client"])
    (settings.certificate, settings.key) = (stranger.certificate, stranger.key)
    check(server(settings), failsWith: "the authority of the client's certificate")
    let expired = try certificates.issue(["DNS:client"], days: -1)
    (settings.certificate, settings.key) = (expired.certificate, expired.key)
    check(server(settings), failsWith: "the client's certificate", "expired", "Renew")
    settings.key = own.key
    check(server(settings), failsWith: "doesn't belong to the certificate")
  }

  func testLargeValuesInBothDirections() throws {
    let process = try secureProcess()
    defer { process.remove() }
    let server = try RedisServer(
      "rediss://localhost:\(try XCTUnwrap(process.securePort))", tls: trusting,
      deadline: .seconds(120))
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    let sizes = [0, 1, 16_383, 16_384, 16_385, 131_072, 1_000_000, 8 << 20]
    let values = sizes.map { size in Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }) }
    for (index, value) in values.enumerated() {
      try level.set("\(index)", value).settled()
    }
    // The replies of the gets arrive while the sets are being sent.
    for _ in 0..<3 {
      let gets = values.indices.map { level.get("\($0)") }
      let sets = values.indices.map { level.set("again\($0)", values[$0]) }
      for (index, get) in gets.enumerated() { XCTAssertEqual(try get.settled(), values[index]) }
      for set in sets { try set.settled() }
    }
  }

  /// Session tickets arrive after the handshake, while nothing is being read.
  func testAConnectionThatWaitsBeforeItsFirstRequest() throws {
    let process = try secureProcess()
    defer { process.remove() }
    let server = try RedisServer(
      "rediss://localhost:\(try XCTUnwrap(process.securePort))", tls: trusting,
      deadline: .seconds(60))
    let memory = Cache<String, Data>.memory().following(server, prefix: prefix)
    let level = memory + .redis(server, prefix: prefix)
    let raw = try XCTUnwrap(RawClient(port: process.port))
    RedisCase.wait { raw.send("CLIENT", "LIST").contains("name=strata") }
    try level.set("k", Data("1".utf8)).settled()
    XCTAssertEqual(try level.get("k").settled(), Data("1".utf8))
  }

  func testAServerThatRestartsWithAnotherCertificate() throws {
    let process = try secureProcess()
    defer { process.remove() }
    let port = try XCTUnwrap(process.securePort)
    let server = try RedisServer(
      "rediss://localhost:\(port)", tls: trusting, deadline: .seconds(60))
    try check(server)
    let raw = try XCTUnwrap(RawClient(port: process.port))
    let pair = try certificates.issue(["DNS:localhost"])
    XCTAssertTrue(
      raw.send(
        "CONFIG", "SET", "tls-cert-file", pair.certificate, "tls-key-file", pair.key
      ).hasPrefix("+OK"))
    raw.send("CLIENT", "KILL", "TYPE", "normal")
    RedisCase.wait { (try? check(server)) != nil }
    process.stop()
    try process.start()
    RedisCase.wait { (try? check(server)) != nil }
  }

  /// A renewed certificate replaces the old file while the program runs.
  func testARenewedClientCertificateIsReadAgain() throws {
    let process = try secureProcess(options: ["--tls-auth-clients", "yes"])
    defer { process.remove() }
    let expired = try certificates.issue(["DNS:client"], days: -1)
    let renewed = try certificates.issue(["DNS:client"])
    var settings = trusting
    (settings.certificate, settings.key) = (expired.certificate, expired.key)
    let server = try RedisServer(
      "rediss://localhost:\(try XCTUnwrap(process.securePort))", tls: settings,
      deadline: .seconds(60))
    check(server, failsWith: "expired")
    for (new, old) in [(renewed.certificate, expired.certificate), (renewed.key, expired.key)] {
      XCTAssertEqual(rename(new, old), 0)
    }
    RedisCase.wait { (try? check(server)) != nil }
  }

  func testAClusterThatAnnouncesAddresses() throws {
    let pair = try certificates.issue(["DNS:cache.internal"])
    let cluster = try RedisClusterProcess(tls: pair)
    defer { cluster.remove() }
    var settings = trusting
    check(
      try RedisServer(cluster: cluster.addresses, tls: settings, deadline: .seconds(60)),
      failsWith: "isn't for 127.0.0.1", "serverName")
    settings.serverName = "cache.internal"
    let server = try RedisServer(cluster: cluster.addresses, tls: settings, deadline: .seconds(60))
    let level = Cache<String, Data>.redis(server, prefix: prefix)
    for key in 0..<30 { try level.set("\(key)", Data("\(key)".utf8)).settled() }
    for key in 0..<30 { XCTAssertEqual(try level.get("\(key)").settled(), Data("\(key)".utf8)) }
    try level.clear().settled()
    XCTAssertEqual(try level.known(of: (0..<30).map { "\($0)" }).settled().count, 0)
  }
}
