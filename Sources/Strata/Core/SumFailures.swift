/// The failures that a get of a sum has received from the levels. If all failures are plain misses,
/// the get doesn't create this object.
@usableFromInline
final class SumFailures: Sendable {
  /// The error that the sum reports, or `nil` if every failure is a plain miss or a miss with a
  /// lease.
  let error: (any Error)?
  /// The lowest level whose value is outdated and must not be returned.
  let outdatedLevel: Int?
  let leases: SumLeases
  private let hanging: [Int]

  private init(
    error: (any Error)?, outdatedLevel: Int?, leases: SumLeases, hanging: [Int]
  ) {
    (self.error, self.outdatedLevel, self.leases, self.hanging) =
      (error, outdatedLevel, leases, hanging)
  }
}

extension SumFailures {
  /// Whether a level hangs. Back-fills skip a hanging level.
  @usableFromInline
  func isHanging(_ level: Int) -> Bool { hanging.contains(level) }

  /// Returns `failures` with the failure of the next level added.
  @usableFromInline
  static func adding(
    _ failure: any Error, of level: Int, to failures: SumFailures?
  ) -> SumFailures {
    var leases = failures?.leases ?? SumLeases()
    var failure = failure
    if let claimed = failure as? ClaimedFailure {
      if let lease = claimed.lease { leases.add(lease, of: level) }
      failure = claimed.failure
    }
    var hanging = failures?.hanging ?? []
    var (error, outdatedLevel) = (failures?.error, failures?.outdatedLevel)
    if let miss = failure as? LeasedMiss {
      leases.add(miss.lease, of: level)
    } else if failure is OutdatedMiss {
      outdatedLevel = level
      error = error ?? plainMiss
    } else {
      error = outranking(upper: error, lower: failure)
      if failure.isFromHangingLevel { hanging.append(level) }
    }
    return SumFailures(
      error: error, outdatedLevel: outdatedLevel, leases: leases, hanging: hanging)
  }
}
