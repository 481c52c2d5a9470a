/// Returns the error that a sum reports when two levels fail.
///
/// Failures have the highest rank, followed by the misses other than `notFound`. If both errors
/// have the same rank, the sum reports the lower level's error. Errors form a monoid with
/// `notFound` as its identity.
@usableFromInline
func outranking(upper: (any Error)?, lower: any Error) -> any Error {
  guard let upper else { return lower }
  func rank(_ error: any Error) -> Int {
    if let error = error as? CacheError, error == .notFound { return 0 }
    return error.isMiss ? 1 : 2
  }
  return rank(lower) >= rank(upper) ? lower : upper
}

extension Promise {
  /// A plain miss. All plain misses share one error, so a miss doesn't allocate.
  @inlinable
  package static var miss: Promise { Promise(error: plainMiss) }
}

@usableFromInline package let plainMiss: any Error = CacheError.notFound

/// Whether an error is the shared plain miss. Compares the addresses of the errors' boxes, because
/// a cast is slow.
@inlinable
func isPlainMiss(_ error: any Error) -> Bool {
  let (error, plain): ((any Error)?, (any Error)?) = (error, plainMiss)  // Optionals aren't opened.
  return unsafeBitCast(error, to: UInt.self) == unsafeBitCast(plain, to: UInt.self)
}

/// The miss of a level whose value for the key is outdated and must not be returned.
///
/// If the levels below report that they have no value, a sum removes the outdated value.
struct OutdatedMiss: MissError {
  let isMiss = true

  /// A shared error, which avoids an allocation for each outdated value.
  static let shared: any Error = OutdatedMiss()
}
