extension Sum {
  /// Asks a level for a lease after a get of the level has failed without one. Returns `nil` if the
  /// level doesn't need to be asked, or if no lower level can return a value for a back-fill.
  ///
  /// If the level has a newer value, the result is the newer value. Otherwise, the result fails with
  /// a `ClaimedFailure`.
  @usableFromInline
  func claimed(_ descent: Descent, at level: Int, after failure: any Error) -> Promise<Value>? {
    guard level + 1 < members.count, ClaimedFailure.needsClaim(after: failure),
      !order.skips(descent.get.hash, queue: level),
      let claims = members[level].cache.metadata.claims
    else { return nil }
    let (reader, key) = (members[level].reader, descent.key)
    return claims.claim(key).flatMapOutcome { outcome in
      switch outcome {
      case .cancelled: return .cancelled
      case .failure: return Promise(error: ClaimedFailure(failure))
      case .success(.lease(let lease)): return Promise(error: ClaimedFailure(failure, lease))
      case .success(.newerValue):
        return reader.get(key).recover { error -> Promise<Value> in
          guard let miss = error as? LeasedMiss else { throw ClaimedFailure(error) }
          throw ClaimedFailure(plainMiss, miss.lease)
        }
      }
    }
  }

  /// The claims of a sum in another sum: the leases of all levels that support leases.
  var claims: LeaseClaims<Key>? {
    let claims = members.indices.compactMap { level in
      members[level].cache.metadata.claims.map { (level: level, claims: $0) }
    }
    guard !claims.isEmpty else { return nil }
    return LeaseClaims { key in
      let answers = claims.map { member in
        member.claims.claim(key).flatMapOutcome { outcome in
          Promise<LeaseClaim?>(outcome.value)
        }
      }
      return Promise.all(answers).flatMap { answers in
        var leases = SumLeases()
        for (member, answer) in zip(claims, answers) {
          switch answer {
          case .newerValue: return Promise(LeaseClaim.newerValue)
          case .lease(let lease): leases.add(lease, of: member.level)
          case nil: continue
          }
        }
        return leases.isEmpty ? .miss : Promise(.lease(leases))
      }
    }
  }
}
