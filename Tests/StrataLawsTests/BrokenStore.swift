import Dispatch
import Foundation
import Strata

/// A simple store with optional faults.
final class BrokenStore: Sendable {
  enum Fault: Sendable {
    case removesNothing, removesElsewhere, collides, ignoresCase, oneName, spellsApart
    case clearLeaves, removeOfAbsentFails, missIsFailure, overCapacity, losesOnWarning
    case keepsTheOldest, copiesOutside, swapsValues, hidesUntilRead
  }

  private struct State {
    var held: [String: Int] = [:]
    var late: [String: Int] = [:]
    var writes = 0
  }

  private let fault: Fault
  private let state = Box(State())

  init(_ fault: Fault) { self.fault = fault }

  private func name(_ key: String) -> String {
    switch fault {
    case .collides: key.filter { $0.isLetter || $0.isNumber }
    case .ignoresCase: key.lowercased()
    case .oneName: "Nan"
    case .spellsApart: key.utf8.map { "\($0)" }.joined(separator: " ")
    default: key
    }
  }

  var cache: Cache<String, Int> {
    Cache(
      get: { key in self.get(self.name(key)) },
      set: { key, value in self.set(self.name(key), value) },
      remove: { key in self.remove(self.name(key)) },
      clear: {
        self.state.update { state in
          state.writes += 1
          state.held = self.fault == .clearLeaves ? state.held.filter { $0.value == 0 } : [:]
        }
        return Promise()
      },
      memoryWarning: { if self.fault == .losesOnWarning { self.state.update { $0.held = [:] } } })
  }

  private func get(_ name: String) -> Promise<Int> {
    state.update { state in
      if fault == .hidesUntilRead, let value = state.late.removeValue(forKey: name) {
        defer { state.held[name] = value }
        return Promise(state.held[name], or: CacheError.notFound)
      }
      if fault == .missIsFailure, state.held[name] == nil {
        return Promise(error: CacheError.timedOut())
      }
      if fault == .swapsValues, let other = state.held.values.max() { return Promise(other) }
      return Promise(state.held[name], or: CacheError.notFound)
    }
  }

  private func set(_ name: String, _ value: Int) -> Promise<Void> {
    if fault == .copiesOutside {
      // Waits briefly for another write. This wait makes the race likely.
      var copy = state.value
      // The wait has a time limit, because the duration of a yield varies. If many threads run, a
      // yield can take a thousand times longer than usual.
      let end = DispatchTime.now() + .microseconds(300)
      while state.value.writes == copy.writes, DispatchTime.now() < end { sched_yield() }
      copy.held[name] = value
      copy.writes += 1
      state.value = copy
      return Promise()
    }
    state.update { state in
      if fault == .keepsTheOldest, state.held[name] != nil { return }
      if fault == .hidesUntilRead { return state.late[name] = value }
      state.held[name] = value
      if fault != .overCapacity, state.held.count > 3 { state.held = [name: value] }
    }
    return Promise()
  }

  private func remove(_ name: String) -> Promise<Void> {
    state.update { state in
      state.writes += 1
      switch fault {
      case .removesNothing: break
      case .removesElsewhere: state.late[name] = nil
      case .removeOfAbsentFails where state.held[name] == nil:
        return Promise(error: CacheError.notFound)
      default: state.held[name] = nil
      }
      return Promise()
    }
  }
}
