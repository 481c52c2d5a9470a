import Foundation
import XCTest

@testable import Strata

/// Each rule with a pipeline of which it has something to say, and one of which it has nothing.
final class PlanAdviceTests: XCTestCase {
  private let memory = CachePlan.level("memory", detail: "1000")
  private let disk = CachePlan.level("disk", detail: "100 MB")
  private let network = CachePlan.level("network")

  private func kinds(_ plan: CachePlan) -> Set<CachePlan.Advice.Kind> {
    Set(plan.advice.map(\.kind))
  }

  private func assert(
    _ kind: CachePlan.Advice.Kind, _ plan: CachePlan, at path: [Int], line: UInt = #line
  ) {
    let paths = plan.advice.filter { $0.kind == kind }.map(\.path)
    XCTAssertEqual(paths, [path], "\(plan.advice)", line: line)
  }

  private func assertNo(
    _ kind: CachePlan.Advice.Kind, _ plan: CachePlan, line: UInt = #line
  ) {
    XCTAssertEqual(plan.advice.filter { $0.kind == kind }, [], line: line)
  }

  func testThereIsNothingToSayOfTheHeadline() {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("advice")
    let pages: Cache<URL, String> =
      .memory()
      + (\.absoluteString <^> .disk("advice", in: folder) <*> .utf8 + .network() <*> .utf8).pooled()
    XCTAssertEqual(pages.plan.advice, [])
    XCTAssertEqual(CachePlan.level("empty").advice, [])
  }

  func testThereIsNothingToSayOfThePresets() {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("advice")
    let plans = [
      Caches.data(in: folder).plan, Caches.json([Int].self, in: folder).plan,
      Caches.data(in: folder, offline: { _ in true }).plan,
    ]
    for plan in plans { XCTAssertEqual(plan.advice, [], "\(plan)") }
  }

  func testNoPoolAboveARemoteLevel() {
    assert(.unpooledRemote, memory + disk + network, at: [2])
    assert(.unpooledRemote, memory + network.decoded(), at: [1, 0])
    assert(.unpooledRemote, memory.pooled() + .level("fetcher"), at: [1])
    assertNo(.unpooledRemote, memory + (disk + network).pooled())
    assertNo(.unpooledRemote, memory + network.verb("named", "\"n\"").decoded().pooled())
    assertNo(.unpooledRemote, .level("fetcher").verb("batching"))
    assertNo(.unpooledRemote, memory + disk + .level("constant"))
  }

  func testAPoolAboveMemory() {
    assert(.pooledMemory, (memory + disk + network).pooled(), at: [])
    assert(.pooledMemory, memory.verb("named", "\"m\"").pooled().decoded(), at: [0])
    assertNo(.pooledMemory, memory + (disk + network).pooled())
    assertNo(.pooledMemory, (disk + memory).pooled())
    assertNo(.pooledMemory, memory + (memory + network).pooled())
  }

  func testAnUpperLevelThatOutlivesTheOneBeneath() {
    assert(.upperOutlivesLower, memory + disk.expiring("after: 60 s"), at: [])
    assert(
      .upperOutlivesLower,
      memory.expiring("after: 2 s") + disk.expiring("after: 900 ms"), at: [])
    assert(
      .upperOutlivesLower,
      memory + (disk.expiring("after: 60 s, jitter: 0.1") + network).pooled(), at: [])
    assert(
      .upperOutlivesLower,
      (memory + disk.verb("maxAge", "5 s")).expiring("after: 60 s"), at: [0])
    assert(.upperOutlivesLower, memory + disk.verb("refreshing", "9 s, from: network"), at: [])
    assertNo(.upperOutlivesLower, (memory + disk).expiring("after: 60 s") + network)
    assertNo(.upperOutlivesLower, memory.expiring("after: 60 s") + disk)
    assertNo(.upperOutlivesLower, memory.expiring("each") + disk.expiring("after: 60 s"))
    assertNo(
      .upperOutlivesLower,
      (memory + disk.verb("maxAge", "60 s")).expiring("after: 5 s"))
    assertNo(.upperOutlivesLower, network + disk.expiring("after: 60 s"))
  }

  func testLifetimesAreReadFromThePlansOfRealVerbs() throws {
    let near: Cache<Int, Stamped<Int>> = .memory(capacity: 10)
    let far: Cache<Int, Stamped<Int>> = .memory(capacity: 1000)
    let origin = Fetcher<Int, Int> { $0 }.pooled()
    let plain = Cache<Int, Int>.memory(capacity: 10)

    let shared = (near.maxAge(.seconds(5)) + far).expiring(after: .seconds(60)) + origin
    XCTAssertEqual(shared.plan.advice, [])
    let texts = try PlanFormsTests.texts(shared.plan.svg)
    XCTAssert(texts.contains("holds 10, lives 5 s"), "\(texts)")
    XCTAssert(texts.contains("holds 1000, lives 60 s"), "\(texts)")

    let expiring = plain + far.expiring(after: .seconds(60)) + origin
    XCTAssertEqual(kinds(expiring.plan), [.upperOutlivesLower])
    let refreshing = plain + far.refreshing(Freshness(for: .seconds(60)), from: origin)
    XCTAssertEqual(kinds(refreshing.plan), [.upperOutlivesLower])
    let each = plain + far.expiring { _, _ in .seconds(60) } + origin
    XCTAssertEqual(each.plan.advice, [])
    let twice = near.expiring(after: .seconds(5)) + far.expiring(after: .seconds(60)) + origin
    XCTAssertEqual(kinds(twice.plan), [.restartedAge])
    XCTAssertEqual(kinds(far.expiring(after: .zero).plan), [.unreachable])
  }

  func testAValueMapThatDecodesAtEveryHit() {
    assert(.decodedAtEveryHit, (memory + disk).decoded(), at: [])
    assert(.decodedAtEveryHit, memory.decoded("utf8").decoded() + network.decoded(), at: [0])
    assertNo(.decodedAtEveryHit, memory + disk.decoded() + network.decoded())
    assertNo(.decodedAtEveryHit, memory + memory.decoded())
    assertNo(.decodedAtEveryHit, memory.decoded("identity"))
  }

  func testAnUnboundedLevel() {
    assert(.unbounded, memory + .level("userDefaults"), at: [1])
    assert(.unbounded, .level("memory", detail: "\(Int.max)"), at: [])
    assert(.unbounded, memory + .level("userDefaults", detail: "\"suite\""), at: [1])
    assert(.unbounded, .level("dictionary"), at: [])
    assertNo(.unbounded, memory + .level("constant"))
    assert(.unbounded, Cache<Int, Int>(get: { _ in throw CacheError.notFound }).plan, at: [])
    assertNo(.unbounded, memory + disk + network)
    assertNo(.unbounded, .level("mine", detail: "as much as fits"))
  }

  func testAValueMapOutsideAPool() {
    assert(.decodedOutsidePool, network.pooled().decoded(), at: [])
    assert(.decodedOutsidePool, memory + disk.pooled().verb("named", "\"d\"").decoded(), at: [1])
    assertNo(.decodedOutsidePool, memory + network.decoded().pooled())
    assertNo(.decodedOutsidePool, network.pooled().decoded("identity"))
  }

  func testTwoMembersThatEachStampAnAge() {
    let (near, far) = (memory.expiring("after: 60 s"), disk.expiring("after: 60 s"))
    assert(.restartedAge, near + far, at: [])
    assert(.restartedAge, near + (far.verb("named", "\"d\"") + network).pooled(), at: [])
    assertNo(.restartedAge, (memory + disk).expiring("after: 60 s") + network)
    assertNo(.restartedAge, memory.verb("maxAge", "1 s") + disk.verb("maxAge", "2 s"))
  }

  func testAFailingCodecOutsideTheSumThatItShouldHeal() {
    assert(.unhealable, (disk + network).decoded(), at: [])
    assert(.unhealable, memory + (disk + network).pooled().decoded("utf8"), at: [1])
    assertNo(.unhealable, disk.decoded() + network.decoded())
    assertNo(.unhealable, (disk + network).decoded("identity"))
    assertNo(.unhealable, (network + .level("fetcher")).decoded())
    assertNo(.unhealable, disk.decoded())
  }

  func testALevelThatCanNeverBeReached() {
    assert(.unreachable, network.pooled() + disk, at: [1])
    assert(.unreachable, memory.verb("recovering") + disk, at: [1])
    assert(.unreachable, memory + memory.decoded(), at: [1])
    assert(
      .unreachable, .level("disk", detail: "1 GB") + .level("disk", detail: "1000 MB"), at: [1])
    assert(.unreachable, .level("memory", detail: "0") + disk, at: [0])
    assert(.unreachable, disk.expiring("after: 0.0 ns"), at: [0])
    assertNo(.unreachable, memory + disk + network.pooled())
    assertNo(.unreachable, memory + .level("memory", detail: "5000"))
    assertNo(.unreachable, memory + .level("memory", detail: "64 MiB"))
    assertNo(.unreachable, memory.verb("maxAge", "5 s") + memory)
    assertNo(.unreachable, memory.verb("conditioned") + memory)
    assertNo(.unreachable, (memory + disk).verb("recovering"))
  }

  func testEachRemarkHasAPlaceAReasonAndARemedy() throws {
    let remarks = ((disk + network).pooled().decoded() + .level("userDefaults")).advice
    XCTAssertEqual(
      remarks.map(\.kind), [.decodedOutsidePool, .unhealable, .unbounded])
    let first = try XCTUnwrap(remarks.first)
    XCTAssertEqual(first.place, "(disk(100 MB) + network).pooled() <*> json")
    XCTAssertEqual(
      "\(first)",
      "(disk(100 MB) + network).pooled() <*> json: those who wait in the pool share the load, and "
        + "then each of them decodes it. Write the codec inside the pool: (… <*> codec).pooled().")
  }

  func testBracketsChangeNoRemark() {
    let one = CachePlan.sum([.sum([memory, .level("userDefaults")]), network])
    let other = CachePlan.sum([memory, .sum([.level("userDefaults"), .sum([network])])])
    XCTAssertEqual(one.advice, other.advice)
    XCTAssertEqual(one.advice.map(\.path), [[1], [2]])
  }

  func testADeepPlanIsReadInASmallStack() {
    let plan = (0..<200).reduce(memory) { plan, _ in .mappedKeys(plan) }
    XCTAssertEqual(kinds(plan), [])
  }
}

extension CachePlan {
  fileprivate static func + (upper: CachePlan, lower: CachePlan) -> CachePlan {
    .sum([upper, lower]).normalized
  }

  fileprivate func verb(_ name: String, _ arguments: String = "") -> CachePlan {
    .verb(self, name: name, arguments: arguments)
  }

  fileprivate func pooled() -> CachePlan { verb("pooled") }
  fileprivate func expiring(_ arguments: String) -> CachePlan { verb("expiring", arguments) }
  fileprivate func decoded(_ label: String = "json") -> CachePlan {
    .mappedValues(self, label: label)
  }
}
