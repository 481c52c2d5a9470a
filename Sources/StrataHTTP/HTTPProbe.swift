import StrataNetwork

/// What an HTTP cache notes for a get with provenance: whether its store or its origin has
/// answered.
///
/// Most gets read the store and then call the origin, so each of the two has its own probe. The
/// status of the answer decides which one counts: if a stale response replaces a failure, it comes
/// from the store, although the origin was the last to answer.
struct HTTPProbe: Sendable {
  let store = GetProbe()
  let origin = GetProbe()
  private let whole: GetProbe

  init(_ whole: GetProbe) { self.whole = whole }

  func note(_ answer: HTTPAnswer, at now: TimeSource.Instant) {
    let isStored = answer.status.kind == .hit
    whole.begin(from: isStored ? store : origin)
    whole.note {
      $0.isStale = isStored && answer.expiresAt <= now
      $0.isJoined = answer.status.isCollapsed
    }
  }
}
