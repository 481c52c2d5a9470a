import Strata

/// A simple sum with optional faults.
struct BrokenSum: Sendable {
  enum Fault: Sendable {
    case awaitedBackFill, failingBackFill, noBackFill
    case failureStops, upperErrorHides, lowerErrorHides, everythingIsAMiss
    case siblingDropped, chainedWrites, removeOfUpperOnly, clearOfUpperOnly, warningOfUpperOnly
    case lostCancellation, lowerAskedAfterCancel, failedWriteStays
  }

  let fault: Fault

  func callAsFunction(_ upper: Cache<Int, Int>, _ lower: Cache<Int, Int>) -> Cache<Int, Int> {
    Cache(
      get: { get($0, upper, lower) },
      set: { key, value in write(upper, lower) { $0.set(key, value) } },
      remove: { key in
        if fault == .removeOfUpperOnly { return upper.remove(key) }
        return write(upper, lower) { $0.remove(key) }
      },
      clear: {
        if fault == .clearOfUpperOnly { return upper.clear() }
        return write(upper, lower) { $0.clear() }
      },
      memoryWarning: {
        upper.memoryWarning()
        if fault != .warningOfUpperOnly { lower.memoryWarning() }
      })
  }

  private func get(
    _ key: Int, _ upper: Cache<Int, Int>, _ lower: Cache<Int, Int>
  ) -> Promise<Int> {
    let below: @Sendable () -> Promise<Int> = {
      lower.get(key).flatMap { value in
        if fault == .noBackFill { return Promise(value) }
        let filled = upper.set(key, value)
        switch fault {
        case .awaitedBackFill: return filled.map { value }.recover { _ in value }
        case .failingBackFill:
          return filled.outcome?.error.map { Promise(error: $0) } ?? .init(value)
        default: return Promise(value)
        }
      }
    }
    let first = upper.get(key)
    if fault == .lostCancellation || fault == .lowerAskedAfterCancel {
      return Promise { continuation in
        first.observed { outcome in
          if outcome.isCancelled, fault == .lostCancellation { return _ = continuation.cancel() }
          if case .success = outcome { return _ = continuation.settle(outcome) }
          below().observed { continuation.settle($0) }
        }
        continuation.onCancel { first.cancel() }
      }
    }
    return first.recover { above in
      if fault == .failureStops, !above.isMiss { return Promise(error: above) }
      return below().recover { error in Promise(error: combined(above, error)) }
    }
  }

  private func combined(_ above: any Error, _ below: any Error) -> any Error {
    func rank(_ error: any Error) -> Int {
      error as? CacheError == .notFound ? 0 : error.isMiss ? 1 : 2
    }
    switch fault {
    case .upperErrorHides: return above
    case .lowerErrorHides: return below
    case .everythingIsAMiss: return CacheError.notFound
    default: return rank(below) >= rank(above) ? below : above
    }
  }

  private func write(
    _ upper: Cache<Int, Int>, _ lower: Cache<Int, Int>,
    _ operation: @escaping @Sendable (Cache<Int, Int>) -> Promise<Void>
  ) -> Promise<Void> {
    let first = operation(upper)
    switch fault {
    case .siblingDropped: return first.flatMap { operation(lower) }
    case .chainedWrites:
      return first.flatMap { operation(lower) }.recover { error in
        operation(lower).flatMap { Promise(error: error) }
      }
    default: break
    }
    let second = operation(lower)
    return Promise { continuation in
      first.observed { above in
        second.observed { below in
          if above.error != nil { continuation.settle(above) }
          if below.error != nil { continuation.settle(below) }
          continuation.settle(above.isCancelled ? above : below)
        }
      }
    }
  }
}

/// A sum whose gets don't back-fill if a write began during the get. If `guardsSets` is `false`, a
/// get back-fills even if a `set` began during the get. If `guardsClears` is `false`, a get
/// back-fills even if a `clear` began during the get.
final class HalfGuardedSum: Sendable {
  private let version = Box(0)
  private let guardsSets: Bool
  private let guardsClears: Bool

  init(guardsSets: Bool, guardsClears: Bool) {
    self.guardsSets = guardsSets
    self.guardsClears = guardsClears
  }

  func callAsFunction(_ upper: Cache<Int, Int>, _ lower: Cache<Int, Int>) -> Cache<Int, Int> {
    Cache(
      get: { key in
        let seen = self.version.value
        return upper.get(key).recover { _ in
          lower.get(key).map { value in
            if self.version.value == seen { _ = upper.set(key, value) }
            return value
          }
        }
      },
      set: { key, value in
        if self.guardsSets { self.version.value += 1 }
        return Promise.all([upper.set(key, value), lower.set(key, value)]).map { _ in }
      },
      remove: { key in
        self.version.value += 1
        return Promise.all([upper.remove(key), lower.remove(key)]).map { _ in }
      },
      clear: {
        if self.guardsClears { self.version.value += 1 }
        return Promise.all([upper.clear(), lower.clear()]).map { _ in }
      })
  }
}
