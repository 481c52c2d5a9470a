import Foundation
import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataDisk
@testable import StrataVerbs

final class UserDefaultsTests: XCTestCase {
  private let suite = "strata-test-\(UUID().uuidString.lowercased())"
  private let other = "strata-test-\(UUID().uuidString.lowercased())"

  private var cache: Cache<String, Data> { .userDefaults(suite: suite) }
  private var defaults: UserDefaults { UserDefaults(suiteName: suite) ?? .standard }

  override func tearDown() { Self.remove([suite, other]) }

  /// Removes suites. On Linux, also removes the files of the suites, because they would otherwise
  /// remain.
  static func remove(_ suites: [String]) {
    for suite in suites {
      UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite)
      #if !canImport(Darwin)
        try? FileManager.default.removeItem(at: file(of: suite))
      #endif
    }
  }

  func testAStoredValueIsFoundAndAnotherKeyIsNot() {  // T42
    _ = cache.set("a", Data("one".utf8))
    _ = cache.set("a", Data("two".utf8))
    _ = cache.set("", Data())
    XCTAssertEqual(cache.get("a").outcome?.value, Data("two".utf8))
    XCTAssertEqual(cache.get("").outcome?.value, Data())
    XCTAssertEqual(cache.get("b").answer, "not found")
    XCTAssertEqual(cache.plan.description, "userDefaults(\"\(suite)\")")
  }

  func testTheApplicationsOwnKeyOfTheSameNameStaysWhenAKeyIsRemoved() {  // T60
    defaults.set("the application's", forKey: "a")
    _ = cache.set("a", Data([1]))
    _ = cache.remove("a")
    XCTAssertEqual(cache.get("a").answer, "not found")
    XCTAssertEqual(defaults.string(forKey: "a"), "the application's")
    XCTAssertEqual(cache.remove("never there").outcome?.value != nil, true)
  }

  func testAClearLeavesTheApplicationAndOtherSuitesUntouched() {  // T47
    let neighbour: Cache<String, Data> = .userDefaults(suite: other)
    UserDefaults.standard.set(5, forKey: suite)
    defaults.set([1, 2], forKey: "a")
    _ = neighbour.set("a", Data([2]))
    _ = cache.set("a", Data([1]))
    _ = cache.clear()
    XCTAssertEqual(cache.get("a").answer, "not found")
    XCTAssertEqual(neighbour.get("a").outcome?.value, Data([2]))
    XCTAssertEqual(defaults.array(forKey: "a") as? [Int], [1, 2])
    XCTAssertEqual(UserDefaults.standard.integer(forKey: suite), 5)
    UserDefaults.standard.removeObject(forKey: suite)
  }

  func testAMemoryWarningLosesNothing() {  // T47
    _ = cache.set("a", Data([1]))
    cache.memoryWarning()
    XCTAssertEqual(cache.get("a").outcome?.value, Data([1]))
  }

  func testInstancesOfOneSuiteAgree() {
    let (one, two) = (cache, cache)
    _ = one.set("a", Data([1]))
    XCTAssertEqual(two.get("a").outcome?.value, Data([1]))
    _ = two.remove("a")
    XCTAssertEqual(one.get("a").answer, "not found")
  }

  func testAForeignValueIsAMissAndStaysUntilItIsSet() {
    let name = UserDefaultsEntry("a").name
    for foreign in ["text", 7, Data([1, 2, 3]), Data(repeating: 0, count: 40)] as [Any] {
      defaults.set(foreign, forKey: name)
      XCTAssertEqual(cache.get("a").answer, "not found")
      _ = cache.remove("a")
      _ = cache.clear()
      XCTAssertNotNil(defaults.object(forKey: name))
    }
    _ = cache.set("a", Data([9]))
    XCTAssertEqual(cache.get("a").outcome?.value, Data([9]))
  }

  func testADamagedValueIsAMissAndStaysAndAffectsNoOtherValue() {
    let value = Data("a value".utf8)
    _ = cache.set("b", value)
    let name = UserDefaultsEntry("a").name
    let whole = UserDefaultsEntry("a").adding(headerTo: value)
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 1
      defaults.set(damaged, forKey: name)
      XCTAssertEqual(cache.get("a").answer, "not found", "byte \(place)")
      XCTAssertEqual(defaults.data(forKey: name), damaged)
    }
    for length in 0..<whole.count {
      defaults.set(whole.prefix(length), forKey: name)
      XCTAssertEqual(cache.get("a").answer, "not found", "\(length) bytes")
    }
    // Stores an entry whose header contains the key `b` instead of `a`.
    defaults.set(UserDefaultsEntry("b").adding(headerTo: value), forKey: name)
    XCTAssertEqual(cache.get("a").answer, "not found")
    XCTAssertEqual(cache.get("b").outcome?.value, value)
  }

  #if !canImport(Darwin)
    private static func file(of suite: String) -> URL {
      let own = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"]
      return URL(fileURLWithPath: own ?? NSHomeDirectory() + "/.config")
        .appendingPathComponent("\(suite).plist")
    }

    func testAStoredValueIsWrittenToTheFile() throws {
      _ = cache.set("a", Data("kept".utf8))
      let list = try PropertyListSerialization.propertyList(
        from: Data(contentsOf: Self.file(of: suite)), format: nil)
      let entry = UserDefaultsEntry("a")
      let written = (list as? [String: Data])?[entry.name]
      XCTAssertEqual(written.flatMap(entry.value), Data("kept".utf8))
    }
  #endif
}
