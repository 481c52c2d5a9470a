import Foundation
import Strata
import StrataLaws

/// Faulty levels whose operations return too early, or whose threads lose writes, each with the law
/// that finds it.
enum RaceFault {
  /// All races by name, for measurements of the search.
  static let all: [(name: String, laws: Laws, law: String)] = [
    ("writeBehind", writeBehind, "level.visibility"),
    ("asyncWriteBehind", asyncWriteBehind, "level.visibility"),
    ("removeBehind", removeBehind, "level.visibility"),
    ("lateQueue", lateQueue, "level.visibility"),
    ("unlockedUpdate", unlockedUpdate, "level.isolation"),
    ("reenteredActor", reenteredActor, "level.isolation"),
    ("setOfTwoSteps", setOfTwoSteps, "level.linearizability"),
    ("clearKeyByKey", clearKeyByKey, "level.clearing"),
    ("clearOfAList", clearOfAList, "level.clearing"),
    ("setsInNoOrder", setsInNoOrder, "level.order"),
    ("lateFill", lateFill, "level.linearizability"),
  ]

  /// A `set` that only starts a task.
  static let writeBehind = Laws.wrong { draft, held in
    draft.set = { key, value in Task { held.update { $0[key] = value } } }
  }

  /// An `async` `set` that only starts a task.
  static let asyncWriteBehind = Laws.level {
    let held = Box<[Int: Int]>([:])
    return Cache<Int, Int>(
      get: { key async throws in try found(held.value[key]) },
      set: { key, value async throws in
        Task { held.update { $0[key] = value } }
      },
      remove: { key async throws in held.update { $0[key] = nil } },
      clear: { () async throws in held.value = [:] })
  }

  /// A `remove` that only starts a task.
  static let removeBehind = Laws.wrong { draft, held in
    draft.remove = { key in Task { held.update { $0[key] = nil } } }
  }

  /// A queue with a delay of a millisecond.
  static let lateQueue = Laws.wrong { draft, held in
    draft.set = { key, value in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
        held.update { $0[key] = value }
      }
    }
  }

  /// A read-modify-write without a lock around its three steps.
  static let unlockedUpdate = Laws.wrong { draft, held in
    draft.set = { key, value in
      var copy = held.value
      copy[key] = value
      held.value = copy
    }
  }

  /// A read-modify-write across an `await`.
  static let reenteredActor = Laws.level {
    let held = Box<[Int: Int]>([:])
    return Cache<Int, Int>(
      get: { key async throws in try found(held.value[key]) },
      set: { key, value async throws in
        var copy = held.value
        await Task.yield()
        copy[key] = value
        held.value = copy
      },
      remove: { key async throws in held.update { $0[key] = nil } },
      clear: { () async throws in held.value = [:] })
  }

  /// A `set` that removes before it stores.
  static let setOfTwoSteps = Laws.wrong { draft, held in
    draft.set = { key, value in
      held.update { $0[key] = nil }
      gap()
      held.update { $0[key] = value }
    }
  }

  /// A `clear` of one key after another.
  static let clearKeyByKey = Laws.wrong { draft, held in
    draft.clear = {
      for key in held.value.keys.sorted() {
        held.update { $0[key] = nil }
        gap()
      }
    }
  }

  /// A `clear` that retains values set after it listed the keys.
  static let clearOfAList = Laws.wrong { draft, held in
    draft.clear = {
      let before = held.value
      gap()
      held.update { held in held = held.filter { before[$0.key] == nil } }
    }
  }

  /// Tasks in no order.
  static let setsInNoOrder = Laws.level {
    let held = Box<[Int: Int]>([:])
    return Cache<Int, Int>(
      get: { key in Promise { try found(held.value[key]) } },
      set: { key, value in
        Promise {
          for _ in 0..<key & 3 { await Task.yield() }
          held.update { $0[key] = value }
        }
      },
      remove: { key in Promise(held.update { $0[key] = nil }) },
      clear: { Promise(held.value = [:]) })
  }

  /// A cache above a store, which a get fills too late.
  static let lateFill = Laws.wrong { draft, held in
    let front = Box<[Int: Int]>([:])
    draft.get = { key in
      if let value = front.value[key] { return value }
      let value = try found(held.value[key])
      gap()
      front.update { $0[key] = value }
      return value
    }
    draft.set = { key, value in
      held.update { $0[key] = value }
      front.update { $0[key] = nil }
    }
    draft.remove = { key in
      held.update { $0[key] = nil }
      front.update { $0[key] = nil }
    }
    draft.clear = {
      held.value = [:]
      front.value = [:]
    }
  }
}
