import Strata

extension LiveStatus {
  /// Counts a request to the proxy. Unless `kind` is `hit`, the request also counts as a call to
  /// the origin.
  ///
  /// - Parameter kind: The word for the outcome, as in the proxy's log.
  func count(_ kind: String, _ duration: Duration) {
    let isFailure = kind == "failed"
    let outcome: CacheEvent.Outcome =
      isFailure ? .failure(CacheError.notFound) : .success
    if kind != "hit" {
      statistics.observer.receive(
        CacheEvent(
          stage: "origin", operation: .get, outcome: outcome, duration: duration, isOrigin: true))
    }
    statistics.observer.receive(
      CacheEvent(stage: plan.description, operation: .get, outcome: outcome, duration: duration))
  }
}
