import XCTest

@testable import Strata

/// Rules of codecs and ages, each with a plan of which it has something to say, and one of which
/// it has nothing.
final class PlanSurveyValuesTests: PlanAdviceCase {
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

  func testAValueMapThatDecodesAtEveryHit() {
    assert(.decodedAtEveryHit, (memory + disk).decoded(), at: [])
    assert(.decodedAtEveryHit, memory.decoded("utf8").decoded() + network.decoded(), at: [0])
    assertNo(.decodedAtEveryHit, memory + disk.decoded() + network.decoded())
    assertNo(.decodedAtEveryHit, memory + memory.decoded())
    assertNo(.decodedAtEveryHit, memory.decoded("identity"))
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
}
