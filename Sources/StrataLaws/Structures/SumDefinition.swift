import StrataVerbs

/// The reference implementation of a sum, for programs without overlapping operations.
@Sendable func definedSum(
  _ upper: Cache<Int, Int>, _ lower: Cache<Int, Int>
) -> Cache<Int, Int> {
  Cache(
    get: { key in
      upper.get(key).recover { above in
        lower.get(key).map { value in
          _ = upper.set(key, value)
          return value
        }.recover { below in
          Promise(error: rank(below) >= rank(above) ? below : above)
        }
      }
    },
    set: { key, value in
      both(
        removing(key, from: upper, after: upper.set(key, value)),
        removing(key, from: lower, after: lower.set(key, value)))
    },
    remove: { key in both(upper.remove(key), lower.remove(key)) },
    clear: { both(upper.clear(), lower.clear()) },
    memoryWarning: {
      upper.memoryWarning()
      lower.memoryWarning()
    })
}

/// Removes a key from a level if its write has failed, because the level may have an older value.
private func removing(
  _ key: Int, from level: Cache<Int, Int>, after write: Promise<Void>
) -> Promise<Void> {
  write.observed { if $0.value == nil { _ = level.remove(key) } }
}

/// Combines the results of two writes as a sum does. In order of precedence, the result is the
/// upper level's failure, the lower level's failure, a cancellation, or success.
@Sendable func both(_ upper: Promise<Void>, _ lower: Promise<Void>) -> Promise<Void> {
  Promise { continuation in
    _ = upper.observed { above in
      lower.observed { below in
        if case .failure = above { continuation.settle(above) }
        if case .failure = below { continuation.settle(below) }
        continuation.settle(above.isCancelled ? above : below)
      }
    }
  }
}

/// Returns the rank of an error. A failure ranks above a miss, and `notFound` ranks below all other
/// misses.
@Sendable func rank(_ error: any Error) -> Int {
  error as? CacheError == .notFound ? 0 : error.isMiss ? 1 : 2
}
