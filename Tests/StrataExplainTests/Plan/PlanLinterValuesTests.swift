import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

/// Tests the advice about codecs and ages. Each test checks that some plans get a piece of advice,
/// and that other plans don't get it.
final class PlanLinterValuesTests: PlanAdviceCase {
  func testAnUpperLevelThatOutlivesTheLevelBelow() {
    assert(.upperOutlivesLower, memory + disk.expiring(["after": .duration(.seconds(60))]), at: [])
    assert(
      .upperOutlivesLower,
      memory.expiring(["after": .duration(.seconds(2))])
        + disk.expiring(["after": .duration(.milliseconds(900))]), at: [])
    assert(
      .upperOutlivesLower,
      memory
        + (disk.expiring(["after": .duration(.seconds(60)), "jitter": .fraction(0.1)]) + network)
        .pooled(), at: [])
    assert(
      .upperOutlivesLower,
      (memory + disk.verb("aged", ["atMost": .duration(.seconds(5))])).expiring([
        "after": .duration(.seconds(60))
      ]), at: [0])
    assert(
      .upperOutlivesLower,
      memory + disk.verb("refreshing", [nil: .duration(.seconds(9)), "from": .plan(network)]),
      at: [])
    assertNo(
      .upperOutlivesLower, (memory + disk).expiring(["after": .duration(.seconds(60))]) + network)
    assertNo(.upperOutlivesLower, memory.expiring(["after": .duration(.seconds(60))]) + disk)
    assertNo(
      .upperOutlivesLower,
      memory.expiring([nil: .name("each")]) + disk.expiring(["after": .duration(.seconds(60))]))
    assertNo(
      .upperOutlivesLower,
      (memory + disk.verb("aged", ["atMost": .duration(.seconds(60))])).expiring([
        "after": .duration(.seconds(5))
      ]))
    assertNo(.upperOutlivesLower, network + disk.expiring(["after": .duration(.seconds(60))]))
  }

  func testLifetimesAreReadFromThePlansOfRealVerbs() throws {
    let near: Cache<Int, Stamped<Int>> = .memory(capacity: 10)
    let far: Cache<Int, Stamped<Int>> = .memory(capacity: 1000)
    let origin = Fetcher<Int, Int>(offMainThread: false) { $0 }.pooled()
    let plain = Cache<Int, Int>.memory(capacity: 10)

    let shared = (near.aged(atMost: .seconds(5)) + far).expiring(after: .seconds(60)) + origin
    XCTAssertEqual(shared.plan.advice, [])
    let texts = try svgTexts(shared.plan.svg)
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

  func testAdviceSeesADifferenceThatRoundingWouldHide() {
    let stamped: Cache<Int, Stamped<Int>> = .memory(capacity: 10)
    let upper = stamped.expiring(after: .milliseconds(1_249))
    let lower = stamped.expiring(after: .milliseconds(1_210))
    XCTAssertTrue((upper + lower).plan.advice.contains { $0.kind == .upperOutlivesLower })
    XCTAssertFalse((lower + upper).plan.advice.contains { $0.kind == .upperOutlivesLower })
    XCTAssertTrue("\((upper + lower).plan)".contains("expiring(after: 1.249 s)"))
  }

  func testAValueMapThatDecodesAtEveryHit() {
    assert(.decodedAtEveryHit, (memory + disk).decoded(), at: [])
    assert(.decodedAtEveryHit, memory.decoded("utf8").decoded() + network.decoded(), at: [0])
    assertNo(.decodedAtEveryHit, memory + disk.decoded() + network.decoded())
    assertNo(.decodedAtEveryHit, memory + memory.decoded())
    assertNo(.decodedAtEveryHit, memory.decoded("identity", decodes: false))
  }

  func testTwoMembersThatEachStampAnAge() {
    let (near, far) = (
      memory.expiring(["after": .duration(.seconds(60))]),
      disk.expiring(["after": .duration(.seconds(60))])
    )
    assert(.restartedAge, near + far, at: [])
    assert(.restartedAge, near + (far.verb("named", [nil: .text("d")]) + network).pooled(), at: [])
    assertNo(.restartedAge, (memory + disk).expiring(["after": .duration(.seconds(60))]) + network)
    assertNo(
      .restartedAge,
      memory.verb("aged", ["atMost": .duration(.seconds(1))])
        + disk.verb("aged", ["atMost": .duration(.seconds(2))]))
  }

  func testAFailingCodecOutsideTheSumThatItShouldHeal() {
    assert(.unhealable, (disk + network).decoded(), at: [])
    assert(.unhealable, memory + (disk + network).pooled().decoded("utf8"), at: [1])
    assertNo(.unhealable, disk.decoded() + network.decoded())
    assertNo(.unhealable, (disk + network).decoded("identity", decodes: false))
    assertNo(.unhealable, (network + .level("fetcher", .origin)).decoded())
    assertNo(.unhealable, disk.decoded())
  }
}
