import StrataNetwork

/// The probes of an HTTP cache for a get with provenance, which show whether its store or its
/// origin has answered.
///
/// Most gets read the store and then call the origin, so each of the two has its own probe. Which
/// one counts depends on the status of the answer. A stale response that replaces a failure comes
/// from the store, although the origin was the last to answer.
struct HTTPProbe: Sendable {
  let store = GetProbe()
  let origin = GetProbe()
  private let whole: GetProbe

  init(_ whole: GetProbe) { self.whole = whole }

  func note(_ answer: HTTPAnswer, isStale: Bool) {
    let isStored = answer.status.kind == .hit
    whole.begin(from: isStored ? store : origin)
    whole.note {
      $0.isStale = isStale
      $0.isJoined = answer.status.isCollapsed
    }
  }
}
