/// The error that stays of two: errors are a monoid with `notFound` as its identity.
///
/// Any other miss outranks `notFound`, any failure outranks misses, and of equals the lower stays.
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
  /// A plain miss. Its error is made once: a miss allocates nothing.
  @inlinable
  static var miss: Promise { Promise(error: plainMiss) }
}

@usableFromInline let plainMiss: any Error = CacheError.notFound

/// Whether an error is the one plain miss: known by its box, as a cast would take long.
@inlinable
func isPlainMiss(_ error: any Error) -> Bool {
  let (error, plain): ((any Error)?, (any Error)?) = (error, plainMiss)  // Or they would be opened.
  return unsafeBitCast(error, to: UInt.self) == unsafeBitCast(plain, to: UInt.self)
}
