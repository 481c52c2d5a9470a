#if canImport(Security)
  import Foundation
  import StrataLaws
  import XCTest

  @testable import StrataApple
  @testable import StrataCore

  final class KeychainTests: XCTestCase {
    private let service = "strata-tests-\(UUID().uuidString)"

    private func level() throws -> Cache<String, Data> {
      let level: Cache<String, Data> = .keychain(service: service)
      if let error = level.set("a", Data()).outcome?.error as? KeychainError {
        throw XCTSkip("\(error)")  // A test without a host app has no entitlements.
      }
      _ = level.clear()
      return level
    }

    func testTheKeychainIsALevel() throws {
      let (service, _) = (service, try level())
      try Laws.check(
        .level("keychain", isPersistent: true) {
          let level: Cache<String, Data> = .keychain(service: service)
          _ = level.clear()
          return level
        }, cases: Extent.cases(50))
    }

    func testAClearDoesNotAffectOtherServices() throws {
      let level = try level()
      let other: Cache<String, Data> = .keychain(service: service + "-other")
      _ = level.set("a", Data([1]))
      _ = other.set("a", Data([2]))
      _ = level.clear()
      XCTAssertEqual(level.get("a").outcome?.error as? CacheError, .notFound)
      XCTAssertEqual(other.get("a").outcome?.value, Data([2]))
      _ = other.clear()
    }

    func testEqualKeysHaveOneItem() throws {
      let level = try level()
      _ = level.set("caf\u{E9}", Data([1]))
      XCTAssertEqual(level.get("cafe\u{301}").outcome?.value, Data([1]))
      _ = level.clear()
    }

    func testAnErrorNamesItsRemedy() {
      XCTAssertTrue("\(KeychainError(status: -34018))".contains("entitlement"))
      XCTAssertTrue("\(KeychainError(status: -25308))".contains("locked"))
      XCTAssertTrue("\(KeychainError(status: -50))".contains("-50"))
    }
  }
#endif
