/// Returns the error that a sum reports if neither of two levels returns a value.
///
/// Failures have the highest rank, followed by misses other than `notFound`, and then `notFound`.
/// Of two errors with the same rank, the sum reports the error of the lower level. With this
/// function, errors form a monoid whose identity is `notFound`.
@usableFromInline
package func outranking(upper: (any Error)?, lower: any Error) -> any Error {
  guard let upper else { return lower }
  func rank(_ error: any Error) -> Int {
    if let error = error as? CacheError, error == .notFound { return 0 }
    return error.isMiss ? 1 : 2
  }
  return rank(lower) >= rank(upper) ? lower : upper
}

extension Promise {
  /// A promise that has failed with ``CacheError/notFound``, the plain miss. All plain misses share
  /// one error, so a miss doesn't allocate.
  @inlinable
  package static var miss: Promise { Promise(error: plainMiss) }
}

@usableFromInline package let plainMiss: any Error = CacheError.notFound

/// Whether an error is the shared error `plainMiss`, which means `notFound`. This function compares
/// the addresses of the errors' boxes, because a cast would be slow.
@inlinable
func isPlainMiss(_ error: any Error) -> Bool {
  // These errors are optional so that the compiler doesn't unbox them. Otherwise, it would pass
  // unboxed errors to the generic function `unsafeBitCast`.
  let (error, plain): ((any Error)?, (any Error)?) = (error, plainMiss)
  return unsafeBitCast(error, to: UInt.self) == unsafeBitCast(plain, to: UInt.self)
}

/// A miss in a level whose value for the key is outdated and must not be returned.
///
/// When the lower levels report that the value is absent, a sum removes the outdated value.
package struct OutdatedMiss: MissError {
  package let isMiss = true

  /// A shared error, which avoids an allocation for each miss.
  package static let shared: any Error = OutdatedMiss()
}
