import Foundation
import Network
import Strata
import StrataRedis
import Synchronization
import XCTest

/// Tests a Redis client that connects through the stand-in for TLS.
final class TLSExchangeTests: XCTestCase {
  override func tearDown() {
    NWConnection.standInServer = { _ in .failure(.posix(.ECONNREFUSED)) }
  }

  private func get(_ deadline: Duration = .seconds(120)) -> String {
    let server = try! RedisServer("rediss://cache.internal:7000", deadline: deadline)
    let level: Cache<String, Data> = .redis(server, prefix: "p:")
    do {
      return "\(try level.get("k").wait(for: .seconds(300)))"
    } catch {
      return "\(error)"
    }
  }

  /// The stand-in server accepts the client's greeting, `HELLO`, but answers every other command
  /// with an error.
  func testRequestsAndRepliesPassThroughTheTunnel() {
    let requests = Mutex<[String]>([])
    NWConnection.standInServer = { endpoint in
      guard case .hostPort(_, let port) = endpoint, port.rawValue == 7000 else {
        return .failure(.posix(.ECONNREFUSED))
      }
      return .success { data in
        let text = String(decoding: data, as: UTF8.self)
        requests.withLock { $0.append(text) }
        let count = text.split(separator: "\r\n").filter { $0.hasPrefix("*") }.count
        let reply = text.contains("HELLO") ? "+OK\r\n" : "-OOM no memory\r\n"
        return Data(String(repeating: reply, count: count).utf8)
      }
    }
    XCTAssertTrue(get().contains("OOM"), get())
    XCTAssertTrue(requests.withLock { $0 }.first?.contains("HELLO") == true)
  }

  func testAnUntrustedCertificateIsTheReason() {
    NWConnection.standInServer = { _ in .failure(.tls(-9807)) }
    XCTAssertTrue(get().contains("authority of the server's certificate"), get())
  }
}
