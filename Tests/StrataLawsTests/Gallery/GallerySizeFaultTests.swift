import Foundation
import Strata
import StrataLaws

/// Checks that the laws catch faults that need thousands of keys, or no effect at all.
final class GallerySizeFaultTests: FaultCase {
  func testARehashThatLosesReplacements() {
    expectCaught(
      "rehash",
      by: .wrong(keeps: .nothing) { draft, held in
        let old = Box<[Int: Int]>([:])
        draft.set = { key, value in
          held.update { held in
            if held.count == 500 { old.value = held }
            held[key] = value
          }
        }
        draft.get = { key in try found(old.value[key] ?? held.value[key]) }
        draft.remove = { key in
          old.update { $0[key] = nil }
          held.update { $0[key] = nil }
        }
        draft.clear = {
          old.value = [:]
          held.value = [:]
        }
      }, as: "level.size")
  }
  func testAClearThatLeavesTheOldGeneration() {
    expectCaught(
      "old generation",
      by: .wrong(keeps: .nothing) { draft, held in
        let old = Box<[Int: Int]>([:])
        draft.set = { key, value in
          held.update { held in
            held[key] = value
            guard held.count > 500 else { return old.update { $0[key] = nil } }
            old.update { $0.merge(held) { $1 } }
            held = [:]
          }
        }
        draft.get = { key in try found(held.value[key] ?? old.value[key]) }
        draft.remove = { key in
          old.update { $0[key] = nil }
          held.update { $0[key] = nil }
        }
      }, as: "level.size")
  }
  func testALostThousandthSet() {
    for keeps in [LevelKeeping.nothing, .everything] {
      expectCaught(
        "thousandth",
        by: .wrong(keeps: keeps) { draft, held in
          let count = Box(0)
          draft.set = { key, value in
            let number = count.update { count in
              count += 1
              return count
            }
            if number % 1000 != 0 { held.update { $0[key] = value } }
          }
        }, as: "level.size")
    }
  }
  func testAReadablePrefixWithAHashOf16Bits() {
    expectCaught(
      "hash",
      by: .named { (key: String) in
        let hash = key.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return "\(key.prefix(8))-\(hash & 0xffff)"
      }, as: "level.size")
  }

  func testALevelWhoseEverySetFails() {
    expectCaught(
      "vacuous",
      firstBy: .wrong(keeps: .nothing) { draft, _ in
        draft.set = { _, _ in throw CacheError.timedOut() }
      }, as: "level.effect", within: 24)
  }

  private struct Constant: LawSample, Hashable {
    static func sample(_ number: Int) -> Constant { Constant() }
  }
  private enum Suit: CaseIterable, LawSample { case clubs, hearts, spades }
  private struct Byte: LawSample, Hashable {
    let number: UInt8
    static var sampleCount: Int { 200 }
    static func sample(_ number: Int) -> Byte { Byte(number: UInt8(number)) }
    static var extremes: [Byte] { [] }
  }

  func testSamplesThatAreEqual() {
    expectCaught(
      "one sample", firstBy: .level { Cache<Constant, Int>.dictionary() }, as: "level.samples")
    expectCaught(
      "one sample", firstBy: .level { Cache<Int, Constant>.dictionary() }, as: "level.samples")
  }
  func testTypesWithFewValuesAreLawful() {
    var all: [(laws: Laws, cases: Int)] = []
    all.append((.level { Cache<Bool, Suit>.dictionary() }, 60))
    all.append((.level { Cache<Suit, Bool>.dictionary() }, 60))
    all.append((.level { Cache<Byte, Byte>.dictionary() }, 60))
    all.append((.level(keeps: .upTo(2)) { Cache<Suit, Date>.memory(capacity: 2) }, 60))
    all.append((.level { Cache<UUID, Double>.dictionary() }, 60))
    all.append((.level { Cache<Data, URL>.dictionary() }, 60))
    expectLawful(all)
  }
  func testALevelWithRoomForOneValueIsLawful() {
    expectLawful([
      (.level(keeps: .upTo(1)) { Cache<Int, Int>.memory(capacity: 1) }, LawSeed.cases)
    ])
  }
}
