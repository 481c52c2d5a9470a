import Foundation
import Strata
import StrataLaws

/// Checks that the laws catch faulty levels that lose values or return wrong values.
final class GalleryStorageFaultTests: FaultCase {
  func testALevelThatStoresNothing() {
    expectCaught(
      "nothing", firstBy: .level { Cache<String, Int>.empty }, as: "level.keeping")
    expectCaught(
      "nothing, persistent", firstBy: .level(isPersistent: true) { Cache<String, Int>.empty },
      as: "level.keeping")
  }
  func testALevelWithAHiddenCapacity() {
    expectCaught(
      "capacity",
      firstBy: .wrong { draft, held in
        draft.set = { key, value in
          held.update { if $0.count < 100 || $0[key] != nil { $0[key] = value } }
        }
      }, as: "level.keeping", within: 110)
  }
  func testASetThatFailsForAPresentKey() {
    expectCaught(
      "insert only",
      firstBy: .wrong { draft, held in
        draft.set = { key, value in
          guard held.value[key] == nil else { throw CacheError.timedOut() }
          held.update { $0[key] = value }
        }
      }, as: "level.keeping")
  }
  func testASetThatDoesNotReplaceAValue() {
    expectCaught(
      "keeps the oldest",
      firstBy: .wrong { draft, held in
        draft.set = { key, value in held.update { if $0[key] == nil { $0[key] = value } } }
      }, as: "level.reading")
  }
  func testAMissThatIsRememberedTooLong() {
    expectCaught(
      "remembers misses",
      firstBy: .wrong { draft, held in
        let absent = Box<Set<Int>>([])
        draft.get = { key in
          if absent.value.contains(key) { throw CacheError.notFound }
          if held.value[key] == nil { absent.update { _ = $0.insert(key) } }
          return try found(held.value[key])
        }
      }, as: "level.keeping")
  }
  func testAnErrorForAnAbsentKey() {
    expectCaught(
      "error",
      firstBy: .wrong { draft, held in
        draft.get = { key in
          guard let value = held.value[key] else { throw CacheError.timedOut() }
          return value
        }
      }, as: "level.absence")
  }
  func testARemoveThatFailsForAnAbsentKey() {
    expectCaught(
      "remove",
      firstBy: .wrong { draft, held in
        draft.remove = { key in
          guard held.update({ $0.removeValue(forKey: key) }) != nil else {
            throw CacheError.timedOut()
          }
        }
      }, as: "level.absence")
  }
  func testARemoveThatOnlyEmptiesTheFrontOfTheStore() {
    expectCaught(
      "remove behind a front",
      firstBy: .wrong { draft, held in
        let front = Box<[Int: Int]>([:])
        draft.set = { key, value in
          front.update { $0[key] = value }
          held.update { $0[key] = value }
        }
        draft.get = { key in try found(front.value[key] ?? held.value[key]) }
        draft.remove = { key in front.update { $0[key] = nil } }
      }, as: "level.removing")
  }
  func testAClearThatDoesNothing() {
    expectCaught("clear", firstBy: .wrong { draft, _ in draft.clear = {} }, as: "level.removing")
  }
  func testAClearThatALaterSetReverts() {
    expectCaught(
      "clear later",
      firstBy: .wrong { draft, held in
        let isStale = Box(false)
        draft.clear = { isStale.value = true }
        draft.get = { key in
          if isStale.value { throw CacheError.notFound }
          return try found(held.value[key])
        }
        draft.set = { key, value in
          isStale.value = false
          held.update { $0[key] = value }
        }
      }, as: "level.removing")
  }
  func testARemoveOfAllKeysWithThatPrefix() {
    expectCaught(
      "prefix",
      firstBy: .level(
        make: Draft<String, Int>.with { draft, held in
          draft.remove = { key in
            held.update { $0 = $0.filter { !$0.key.hasPrefix(key) } }
          }
        }), as: "level.keys")
  }
  func testAGetByAPattern() {
    expectCaught(
      "pattern",
      firstBy: .level(
        make: Draft<String, Int>.with { draft, held in
          draft.get = { key in
            let pattern = key.hasSuffix("%") ? String(key.dropLast()) : nil
            let match = pattern.flatMap { start in
              held.value.first { $0.key.hasPrefix(start) }?.value
            }
            return try found(held.value[key] ?? match)
          }
        }), as: "level.keys")
  }
  func testEmptyValuesThatCountAsAbsent() {
    expectCaught(
      "empty",
      firstBy: .level(
        make: Draft<Int, String>.with { draft, held in
          draft.get = { key in try found(held.value[key].flatMap { $0.isEmpty ? nil : $0 }) }
        }), as: "level.values")
  }
  func testLargeValuesThatAreCutOff() {
    expectCaught(
      "large",
      firstBy: .level(
        make: Draft<Int, Data>.with { draft, held in
          draft.set = { key, value in held.update { $0[key] = value.prefix(65_536) } }
        }), as: "level.values")
  }
  func testValuesThatEndAtNUL() {
    expectCaught(
      "NUL",
      firstBy: .level(
        make: Draft<Int, String>.with { draft, held in
          draft.set = { key, value in
            held.update { $0[key] = String(value.prefix { $0 != "\0" }) }
          }
        }), as: "level.values")
  }
  func testBytesThatMustBeText() {
    expectCaught(
      "text",
      firstBy: .level(
        make: Draft<Int, Data>.with { draft, held in
          draft.set = { key, value in
            held.update { $0[key] = Data(String(decoding: value, as: UTF8.self).utf8) }
          }
        }), as: "level.values")
  }
  func testEqualValuesThatAreStoredOnce() {
    expectCaught(
      "content",
      firstBy: .wrong { draft, held in
        draft.remove = { key in
          held.update { held in
            guard let value = held[key] else { return }
            held = held.filter { $0.value != value }
          }
        }
      }, as: "level.values")
  }
  func testAMemoryWarningThatLosesPersistentValues() {
    expectCaught(
      "warning",
      firstBy: .wrong(isPersistent: true) { draft, held in draft.warn = { held.value = [:] } },
      as: "level.keeping")
  }
  func testALevelThatExceedsItsDeclaredCapacity() {
    expectCaught("bound", firstBy: .wrong(keeps: .upTo(4)) { _, _ in }, as: "level.capacity")
  }
  func testALevelThatEvictsTooEarly() {
    expectCaught(
      "room",
      firstBy: .wrong(keeps: .upTo(4)) { draft, held in
        draft.set = { key, value in
          held.update {
            if $0.count == 3, $0[key] == nil { $0 = [:] }
            $0[key] = value
          }
        }
      }, as: "level.keeping", within: 8)
  }

  /// A level of values that are converted to another type and back.
  private static func through<Value: LawSample, Stored: Sendable>(
    _ encode: @escaping @Sendable (Value) -> Stored,
    _ decode: @escaping @Sendable (Stored) throws -> Value
  ) -> Laws {
    .level { Draft<Int, Stored>().cache <*> Codec(decode: decode, encode: encode) }
  }
  func testDatesThatLoseTheirFractions() {
    expectCaught(
      "ISO 8601",
      by: Self.through({ (date: Date) in date.formatted(.iso8601) }) {
        try Date($0, strategy: .iso8601)
      }, as: "level.values")
  }
  func testNumbersThatAreStoredWithHalfTheirBits() {
    expectCaught(
      "Float", by: Self.through({ (value: Double) in Float(value) }) { Double($0) },
      as: "level.values")
  }
  func testRunsWhoseLengthIsAByte() {
    expectCaught(
      "run length",
      by: Self.through({ (data: Data) in
        var runs: [(byte: UInt8, count: UInt8)] = []
        for byte in data {
          if runs.last?.byte == byte {
            runs[runs.count - 1].count &+= 1
          } else {
            runs.append((byte, 1))
          }
        }
        return runs
      }) { runs in Data(runs.flatMap { Array(repeating: $0.byte, count: Int($0.count)) }) },
      as: "level.values")
  }
  func testValuesOfAMegabyteThatAreCutOff() {
    expectCaught(
      "1 MB", by: Self.through({ (data: Data) in Data(data.prefix(1 << 20)) }) { $0 },
      as: "level.values")
  }
}
