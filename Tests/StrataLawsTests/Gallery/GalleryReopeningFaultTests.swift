import Foundation
import Strata
import StrataLaws

/// Checks that the laws catch faults in levels that are reopened.
final class GalleryReopeningFaultTests: FaultCase {
  /// Returns the level laws for a level that keeps its store when it is reopened under the same
  /// name.
  private func reopening(
    _ level: @escaping @Sendable (Box<[Int: Int]>) -> Cache<Int, Int>
  ) -> Laws {
    let stores = Box<[String: Box<[Int: Int]>]>([:])
    return .level(
      cleanUp: { place in stores.update { $0[place] = nil } },
      reopening: { place in
        level(
          stores.update { stores in
            let store = stores[place] ?? Box([:])
            stores[place] = store
            return store
          })
      })
  }

  /// Returns a level that copies the store's contents once and then reads only the copy. The
  /// closure `write` determines how a write changes the store.
  private static func copy(
    of store: Box<[Int: Int]>, _ write: @escaping @Sendable (Int, Int?) -> Void
  ) -> Cache<Int, Int> {
    var draft = Draft<Int, Int>()
    let held = draft.held
    held.value = store.value
    draft.set = { key, value in
      held.update { $0[key] = value }
      write(key, value)
    }
    draft.remove = { key in
      held.update { $0[key] = nil }
      write(key, nil)
    }
    draft.clear = {
      held.value = [:]
      store.value = [:]
    }
    return draft.cache
  }

  func testValuesInMemoryOnly() {
    expectCaught(
      "memory", by: reopening { Self.copy(of: $0) { _, _ in } }, as: "level.reopening")
  }
  func testRemovedValuesThatReturn() {
    expectCaught(
      "no tombstones",
      by: reopening { store in
        Self.copy(of: store) { key, value in if let value { store.update { $0[key] = value } } }
      }, as: "level.reopening")
  }
  func testALastWriteThatIsNotFlushed() {
    expectCaught(
      "no flush",
      by: reopening { store in
        let last = Box<(Int, Int?)?>(nil)
        return Self.copy(of: store) { key, value in
          if let (key, value) = last.value { store.update { $0[key] = value } }
          last.value = (key, value)
        }
      }, as: "level.reopening")
  }
  func testAReplacementThatIsNotWritten() {
    expectCaught(
      "appends only",
      by: reopening { store in
        Self.copy(of: store) { key, value in
          store.update { $0[key] = value == nil ? nil : $0[key] ?? value }
        }
      }, as: "level.reopening")
  }

  /// Returns the laws of a level of text that writes lines of a text file.
  private static func lines(
    keeps: LevelKeeping = .everything, name: @escaping @Sendable (String) -> String = { $0 },
    write: @escaping @Sendable (String) -> String, read: @escaping @Sendable (String) -> String
  ) -> Laws {
    let files = Box<[String: [String: String]]>([:])
    return .level(
      keeps: keeps,
      cleanUp: { place in files.update { $0[place] = nil } },
      reopening: { place in
        var draft = Draft<String, String>()
        let held = draft.held
        held.value = files.value[place, default: [:]].mapValues(read)
        let set = draft.set
        draft.set = { key, value in
          try set(key, value)
          files.update { $0[place, default: [:]][name(key)] = write(value) }
        }
        draft.remove = { key in
          held.update { $0[key] = nil }
          files.update { $0[place, default: [:]][name(key)] = nil }
        }
        draft.clear = {
          held.value = [:]
          files.update { $0[place] = [:] }
        }
        return draft.cache
      })
  }
  func testValuesThatAreCutAtANewline() {
    expectCaught(
      "lines",
      by: Self.lines(write: { $0 }, read: { String($0.prefix { !$0.isNewline }) }),
      as: "level.reopening")
  }
  func testTabsThatAreNotEscaped() {
    expectCaught(
      "tabs", by: Self.lines(write: { $0 }, read: { String($0.prefix { $0 != "\t" }) }),
      as: "level.reopening")
  }
  func testNamesThatAreFoldedOnDisk() {
    expectCaught(
      "folded", by: Self.lines(name: { $0.lowercased() }, write: { $0 }, read: { $0 }),
      as: "level.reopening")
  }
  func testARemoveThatDoesNotReachOlderFiles() {
    expectCaught(
      "older files",
      by: reopening { store in
        let older = store.value
        return Self.copy(of: store) { key, value in store.update { $0[key] = value ?? older[key] } }
      }, as: "level.reopening")
  }
  func testAReopenedLevelThatMayLoseValuesIsLawful() throws {
    let stores = Box<[String: Box<[Int: Int]>]>([:])
    let laws = Laws.level(
      keeps: .nothing,
      cleanUp: { place in stores.update { $0[place] = nil } },
      reopening: { place in
        let store = stores.update { stores in
          let store = stores[place] ?? Box([:])
          stores[place] = store
          return store
        }
        store.update { $0 = $0.filter { $0.key % 3 > 0 } }
        return Draft(holding: store).cache
      })
    try Laws.check(laws, cases: 100)
  }
}
