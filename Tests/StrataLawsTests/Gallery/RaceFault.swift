import Foundation
import Strata
import StrataLaws

/// The laws of faulty levels whose operations return too early or lose concurrent writes. For each
/// faulty level, the array `all` also names the law that detects the level's fault.
enum RaceFault {
  /// All races by name. `RaceFigureTests` measures how often a check finds each race.
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
    ("clearOfWritesFirst", clearOfWritesFirst, "level.clearing"),
    ("setsInNoOrder", setsInNoOrder, "level.order"),
    ("lateFill", lateFill, "level.linearizability"),
  ]

  /// The laws of a level whose `set` only starts a task, and returns before the value is stored.
  static let writeBehind = Laws.wrong { draft, held in
    draft.set = { key, value in Task { held.update { $0[key] = value } } }
  }

  /// The laws of a level whose `set` is an async function that only starts a task.
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

  /// The laws of a level whose `remove` only starts a task.
  static let removeBehind = Laws.wrong { draft, held in
    draft.remove = { key in Task { held.update { $0[key] = nil } } }
  }

  /// The laws of a level whose `set` returns immediately, but stores the value a millisecond later.
  static let lateQueue = Laws.wrong { draft, held in
    draft.set = { key, value in
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) {
        held.update { $0[key] = value }
      }
    }
  }

  /// The laws of a level whose `set` reads, changes, and writes its values without a lock.
  static let unlockedUpdate = Laws.wrong { draft, held in
    draft.set = { key, value in
      var copy = held.value
      copy[key] = value
      held.value = copy
    }
  }

  /// The laws of a level whose `set` suspends between reading and writing its values.
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

  /// The laws of a level whose `set` removes the old value before it stores the new value.
  static let setOfTwoSteps = Laws.wrong { draft, held in
    draft.set = { key, value in
      held.update { $0[key] = nil }
      gap()
      held.update { $0[key] = value }
    }
  }

  /// The laws of a level whose `clear` removes one key after another.
  static let clearKeyByKey = Laws.wrong { draft, held in
    draft.clear = {
      for key in held.value.keys.sorted() {
        held.update { $0[key] = nil }
        gap()
      }
    }
  }

  /// The laws of a level whose `clear` first lists the keys, and then removes only the listed keys.
  static let clearOfAList = Laws.wrong { draft, held in
    draft.clear = {
      let before = held.value
      gap()
      held.update { held in held = held.filter { before[$0.key] == nil } }
    }
  }

  /// The laws of a level whose `clear` first hides the keys of the writes in flight, and then
  /// removes all keys. A sum without `UnreceivedWrites` would have the same fault.
  static let clearOfWritesFirst = Laws.wrong { draft, held in
    let (writing, hidden) = (Box<[Int]>([]), Box<Set<Int>>([]))
    draft.get = { key in
      if hidden.value.contains(key) { throw CacheError.notFound }
      return try found(held.value[key])
    }
    draft.set = { key, value in
      writing.update { $0.append(key) }
      held.update { $0[key] = value }
      for _ in 0..<8 { gap() }
      writing.update { keys in keys.firstIndex(of: key).map { _ = keys.remove(at: $0) } }
    }
    draft.clear = {
      hidden.value = Set(writing.value)
      for _ in 0..<8 { gap() }
      held.update { held in
        held = [:]
        hidden.value = []
      }
    }
  }

  /// The laws of a level that runs each `set` in a separate task. The tasks can run in any order.
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

  /// The laws of a faulty level with a front cache. A get copies the stored value to the front
  /// cache too late.
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
