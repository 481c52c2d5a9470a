import Strata
import StrataLaws

/// Checks that a law catches levels that store references to objects instead of copies.
final class GalleryReferenceFaultTests: FaultCase {
  /// A text that changes in place.
  private final class Note: LawSample {
    let text: Box<String>
    init(_ text: String) { self.text = Box(text) }
    static func == (one: Note, other: Note) -> Bool { one.text.value == other.text.value }
    static func sample(_ number: Int) -> Note { Note("note \(number)") }
    func changeInPlace() -> Bool {
      text.update { $0 += ", changed" }
      return true
    }
    var copy: Note { Note(text.value) }
  }

  private func laws(
    set: @escaping @Sendable (Note) -> Note, get: @escaping @Sendable (Note) -> Note
  )
    -> Laws
  {
    .level {
      var draft = Draft<Int, Note>()
      let (oldGet, oldSet) = (draft.get, draft.set)
      draft.get = { key in get(try oldGet(key)) }
      draft.set = { key, value in try oldSet(key, set(value)) }
      return draft.cache
    }
  }

  func testALevelThatStoresTheObjectOfItsCaller() {
    expectCaught(
      "no copy in set",
      by: laws {
        $0
      } get: {
        $0.copy
      }, as: "level.references")
  }
  func testALevelThatReturnsItsOwnObject() {
    expectCaught(
      "no copy in get",
      by: laws {
        $0.copy
      } get: {
        $0
      }, as: "level.references")
  }
  func testALevelThatCopiesIsLawful() throws {
    try Laws.check(
      laws {
        $0.copy
      } get: {
        $0.copy
      }, cases: 40)
  }
}
