/// The failures of the levels that a get of a sum has read, without plain misses.
@usableFromInline
struct SumFailures: Sendable {
  /// The error that the sum reports, or `nil` if every level had a plain miss.
  @usableFromInline var error: (any Error)?
  /// The lowest level with an outdated value, which it may not return.
  @usableFromInline var outdatedLevel: Int?
  var leases = SumLeases()
  /// The levels that hang, which aren't back-filled.
  @usableFromInline var hanging: [Int] = []

  @usableFromInline init() {}

  /// Whether every level had a plain miss.
  @usableFromInline var arePlain: Bool { error == nil && leases.isEmpty }

  /// Returns these failures with the failure of the next level.
  @usableFromInline
  func adding(_ failure: any Error, of level: Int) -> SumFailures {
    var result = self
    if let miss = failure as? LeasedMiss {
      result.leases.add(miss.lease, of: level)
    } else if failure is OutdatedMiss {
      result.outdatedLevel = level
      result.error = error ?? plainMiss
    } else {
      result.error = outranking(upper: error, lower: failure)
      if failure.isFromHangingLevel { result.hanging.append(level) }
    }
    return result
  }
}
