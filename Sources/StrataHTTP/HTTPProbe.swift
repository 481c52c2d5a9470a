import StrataNetwork

/// The notes of an HTTP cache: whether its store or its origin has answered a get with provenance.
///
/// Most gets read the store and then call the origin. So each of them has a probe of its own, and the
/// status of the answer decides which one counts: a stale response that replaces a failure comes from
/// the store, although the origin was the last to answer.
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
