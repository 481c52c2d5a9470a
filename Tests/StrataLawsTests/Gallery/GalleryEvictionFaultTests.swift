import Strata
import StrataLaws

/// Checks that the laws catch faults in how levels evict values.
final class GalleryEvictionFaultTests: FaultCase {
  /// A level of two values that counts its values instead of its keys.
  private static func counting(
    _ room: Int = 2, set: @escaping @Sendable (_ isNew: Bool, _ count: inout Int) -> Void,
    remove: @escaping @Sendable (_ isHeld: Bool, _ count: inout Int) -> Void
  ) -> Laws {
    .level(keeps: .upTo(room)) {
      let state = Box((held: [Int: Int](), order: [Int](), count: 0))
      return Cache<Int, Int>(
        get: { key in try found(state.value.held[key]) },
        set: { key, value in
          state.update { state in
            set(state.held[key] == nil, &state.count)
            while state.count > room, let first = state.order.first(where: { $0 != key }) {
              state.order.removeAll { $0 == first }
              state.held[first] = nil
              state.count -= 1
            }
            state.order.removeAll { $0 == key }
            state.order.append(key)
            state.held[key] = value
          }
        },
        remove: { key in
          state.update { state in
            remove(state.held[key] != nil, &state.count)
            state.order.removeAll { $0 == key }
            state.held[key] = nil
          }
        }, clear: { state.value = ([:], [], 0) })
    }
  }

  func testACorrectCountIsLawful() throws {
    try Laws.check(
      Self.counting(set: { if $0 { $1 += 1 } }, remove: { if $0 { $1 -= 1 } }), cases: 100)
  }
  func testACountThatARemoveOfAnAbsentKeyLowers() {
    expectCaught(
      "the count drifts down",
      by: Self.counting(set: { if $0 { $1 += 1 } }, remove: { $1 -= 1 }),
      as: ["level.capacity"], within: 7)
  }
  func testACountThatAnOverwriteRaises() {
    expectCaught(
      "the count drifts up", by: Self.counting(set: { $1 += 1 }, remove: { if $0 { $1 -= 1 } }),
      as: "level.keeping")
  }
  func testARemovedKeyThatStillTakesRoom() {
    expectCaught(
      "tombstones take room", by: Self.counting(set: { if $0 { $1 += 1 } }, remove: { _, _ in }),
      as: "level.keeping")
  }

  /// A level of four values in numbered slots.
  private final class Slots: Sendable {
    struct State {
      var slots: [(key: Int, value: Int)] = []
      var index: [Int: Int] = [:]
      var next = 0
    }
    let state = Box(State())
    let room: Int
    let isGuarded: Bool

    init(_ room: Int = 4, isGuarded: Bool) { (self.room, self.isGuarded) = (room, isGuarded) }

    var cache: Cache<Int, Int> {
      Cache(
        get: { key in
          if self.isGuarded {
            return try found(self.state.update { s in s.index[key].map { s.slots[$0].value } })
          }
          let slot = try found(self.state.value.index[key])
          gap()
          let slots = self.state.value.slots
          return try found(slot < slots.count ? slots[slot].value : nil)
        },
        set: { key, value in
          self.state.update { state in
            if let slot = state.index[key] { return state.slots[slot].value = value }
            if state.slots.count < self.room {
              state.index[key] = state.slots.count
              return state.slots.append((key, value))
            }
            let slot = state.next % self.room
            state.next += 1
            state.index[state.slots[slot].key] = nil
            state.slots[slot] = (key, value)
            state.index[key] = slot
          }
        },
        remove: { key in
          self.state.update { state in
            guard let slot = state.index.removeValue(forKey: key) else { return }
            let last = state.slots.removeLast()
            guard slot < state.slots.count else { return }
            state.slots[slot] = last
            state.index[last.key] = slot
          }
        }, clear: { self.state.value = State() })
    }
  }

  func testSlotsUnderOneLockAreLawful() throws {
    try Laws.check(.level(keeps: .upTo(4)) { Slots(isGuarded: true).cache }, cases: 100)
  }
  func testASlotThatIsReusedDuringAGet() {
    expectCaught(
      "another key's value", by: .level(keeps: .upTo(4)) { Slots(isGuarded: false).cache },
      as: ["level.isolation"], within: 250, cases: 400_000)
  }

  func testAnEvictionOutsideTheLock() {
    expectCaught(
      "too many values",
      by: .wrong(keeps: .upTo(3)) { draft, held in
        draft.set = { key, value in
          let held = held
          let old = held.value.keys.first { $0 != key }
          if let old, held.value.count >= 3, held.value[key] == nil {
            held.update { $0[old] = nil }
          }
          gap()
          held.update { $0[key] = value }
        }
      }, as: ["level.isolation"], within: 250, cases: 400_000)
  }

  func testAnEvictionOutsideTheLockOfALargeLevel() {
    for room in [100, 1000] {
      expectCaught(
        "too many values of \(room)",
        by: .wrong(keeps: .upTo(room)) { draft, held in
          draft.set = { key, value in
            let held = held
            let old = held.value.keys.first { $0 != key }
            if let old, held.value.count >= room, held.value[key] == nil {
              held.update { $0[old] = nil }
              gap()
            }
            held.update { $0[key] = value }
          }
        }, as: ["level.isolation"], within: 250)
    }
  }

  func testAnActorThatAwaitsBeforeItInserts() {
    let laws = Laws.level(keeps: .upTo(3)) {
      let held = Box<[Int: Int]>([:])
      return Cache<Int, Int>(
        get: { key async throws in try found(held.value[key]) },
        set: { key, value async throws in
          held.update { held in
            while held.count >= 3, held[key] == nil, let old = held.keys.first { held[old] = nil }
          }
          await Task.yield()
          held.update { $0[key] = value }
        },
        remove: { key async throws in held.update { $0[key] = nil } },
        clear: { () async throws in held.value = [:] })
    }
    expectCaught("too many values", by: laws, as: ["level.isolation"], within: 250, cases: 400_000)
  }

  func testAWarningThatStoresACopyBack() {
    expectCaught(
      "old values return",
      by: .wrong { draft, held in
        draft.warn = {
          let copy = held.value
          gap()
          held.value = copy
        }
      }, as: ["level.linearizability"], within: 60, cases: 400_000)
  }
}
