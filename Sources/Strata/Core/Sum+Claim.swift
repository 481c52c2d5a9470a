extension Sum {
  /// Requests a lease from a level after a get of the level has failed without returning a lease.
  /// Returns `nil` if a request is unnecessary or impossible. For example, the lowest level of the
  /// sum needs no lease, because no lower level can return a value for a back-fill.
  ///
  /// If the level has a newer value, this function reads the level again, and the result is the
  /// newer value. A cancelled request or read cancels the result. Otherwise, the result fails with
  /// a `ClaimedFailure`, for example if the request fails or exceeds the time bound of the level.
  ///
  /// - Parameter start: The time at which the get of the level started, or `nil` for now. The
  ///   request for a lease and the get of the level share the level's time bound.
  @usableFromInline
  func claimed(
    _ descent: Descent, at level: Int, after failure: any Error,
    since start: TimeSource.Instant? = nil
  ) -> Promise<Value>? {
    guard level + 1 < members.count, ClaimedFailure.needsClaim(after: failure),
      !order.skips(descent.get.hash, queue: level),
      let claims = members[level].cache.metadata.claims
    else { return nil }
    let (reader, key) = (members[level].reader, descent.key)
    let answer = claims.claim(key).flatMapOutcome { outcome -> Promise<Value> in
      switch outcome {
      case .cancelled: return .cancelled
      case .failure(let answer):
        return Promise(error: ClaimedFailure(failure, (answer as? LeasedMiss)?.lease))
      case .success:
        return reader.get(key).recover { error -> Promise<Value> in
          guard let miss = error as? LeasedMiss else { throw ClaimedFailure(error) }
          throw ClaimedFailure(plainMiss, miss.lease)
        }
      }
    }
    guard members[level].boundsGets else { return answer }
    let now = clock.now()
    let rest = members[level].bound - (start ?? now).duration(to: now)
    return answer.timeout(after: rest, clock: clock) { ClaimedFailure(failure) }
  }

  /// Whether each level that needs a lease has returned one. If a lease is missing, a miss of this
  /// sum contains no leases, so the enclosing sum requests the leases of all levels.
  func hasAll(_ leases: SumLeases) -> Bool {
    !leases.isEmpty
      && members.indices.allSatisfy { level in
        members[level].cache.metadata.claims == nil || leases[level] != nil
      }
  }

  /// An object that requests the leases of all levels that support leases, or `nil` if no level
  /// supports leases. Another sum uses this object if this sum is one of its levels.
  var claims: LeaseClaims<Key>? {
    let claims = members.indices.compactMap { level in
      members[level].cache.metadata.claims.map { (level: level, claims: $0) }
    }
    guard !claims.isEmpty else { return nil }
    return LeaseClaims { key in
      claims.reduce(Promise(error: LeasedMiss(lease: SumLeases()))) { earlier, member in
        earlier.recover { error -> Promise<Void> in
          guard let miss = error as? LeasedMiss, let leases = miss.lease as? SumLeases else {
            throw error
          }
          return member.claims.claim(key).recover { error -> Promise<Void> in
            var leases = leases
            if let miss = error as? LeasedMiss { leases.add(miss.lease, of: member.level) }
            throw LeasedMiss(lease: leases)
          }
        }
      }
    }
  }
}
