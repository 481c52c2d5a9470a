import Foundation
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataNetwork
@testable import StrataVerbs

/// Tests a realistic profile service that reads from memory, disk, and the network, in this order.
/// A profile is fresh for a minute, but jitter shortens this time by up to 10%. Missing profiles
/// are remembered. Stale profiles are returned while the origin is down.
final class ProfileServiceTests: XCTestCase {
  private struct Profile: Codable, Sendable { var name: String }

  private let (time, clock) = TimeSource.manual()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "strata-profiles-\(UUID().uuidString)")

  override func tearDown() { try? FileManager.default.removeItem(at: folder) }

  private func service() -> Cache<URL, Profile> {
    let stored: Cache<URL, Stamped<Profile>> =
      .memory(clock: time)
      + \.absoluteString <^> .disk("profiles", in: folder, clock: time) <*> .stamped(.json())
    return stored.refreshing(
      Freshness(for: .seconds(60), staleIfError: .seconds(86_400), jitter: 0.1),
      from: (.network() <*> .json()).rememberingMisses(for: .seconds(30), clock: time))
  }

  func testADayOfTheService() async throws {
    let origin = try LoopbackOrigin { request in
      request.path == "/ada"
        ? .respond(body: #"{"name": "Ada"}"#) : .respond(status: 404, body: "nobody")
    }
    defer { origin.stop() }
    let (ada, nobody) = (origin.url("/ada"), origin.url("/nobody"))
    let profiles = service()
    // The first get reads from the network, the second from memory, and the third from disk.
    for profiles in [profiles, profiles, service()] {
      let profile = try await profiles.value(for: ada)
      XCTAssertEqual(profile.name, "Ada")
    }
    XCTAssertEqual(origin.requests.count, 1)

    for _ in 0..<2 {  // The miss is remembered.
      let absent = try await profiles.findValue(for: nobody)
      XCTAssertNil(absent)
    }
    XCTAssertEqual(origin.requests.count, 2)
    clock.advance(by: .seconds(30))
    _ = try await profiles.findValue(for: nobody)
    XCTAssertEqual(origin.requests.count, 3)

    clock.advance(by: .seconds(23))  // Even with the maximum jitter, a profile is fresh for 54 s.
    _ = try await profiles.value(for: ada)
    XCTAssertEqual(origin.requests.count, 3)
    clock.advance(by: .seconds(7))
    _ = try await profiles.value(for: ada)
    XCTAssertEqual(origin.requests.count, 4)

    origin.stop()
    clock.advance(by: .seconds(86_000))
    let stale = try await profiles.value(for: ada)
    XCTAssertEqual(stale.name, "Ada")
    clock.advance(by: .seconds(500))
    do {
      _ = try await profiles.value(for: ada)
      XCTFail("A profile older than a day and a minute should fail.")
    } catch let error as NetworkError { XCTAssertFalse(error.isMiss) }
  }
}
