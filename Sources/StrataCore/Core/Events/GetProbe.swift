/// The facts about one get, recorded on its way through a pipeline.
///
/// A get with provenance runs through a copy of the pipeline, which shares the pipeline's state and
/// reports to one probe. In this copy, each member of a sum, and each load of a refreshed cache,
/// has its own probe. From these, the sum or the verb takes the probe that belongs to the answer
/// that it returns. So a level that answers too late isn't recorded.
package final class GetProbe: Sendable {
  /// The known facts about an answer.
  package struct Answer: Sendable {
    /// The name of the level that returned the value.
    package var level: String?
    /// Whether that level is an origin.
    package var isOrigin = false
    /// The creation time of the value, if the value has one.
    package var storedAt: TimeSource.Instant?
    package var isStale = false
    package var isJoined = false

    package init(level: String? = nil, isOrigin: Bool = false) {
      (self.level, self.isOrigin) = (level, isOrigin)
    }
  }

  private let state = Lock((answer: Answer(), chosen: GetProbe?.none))

  package init() {}

  /// Records a fact about the current answer.
  package func note(_ change: (inout Answer) -> Void) { state.withLock { change(&$0.answer) } }

  /// Begins a new answer, which replaces what was recorded so far.
  ///
  /// - Parameter child: A probe that knows more about the answer.
  package func begin(_ answer: Answer = Answer(), from child: GetProbe? = nil) {
    // The closure returns the old probe, so the probe is released outside the lock.
    _ = state.withLock { state in
      let old = state.chosen
      state = (answer, child)
      return old
    }
  }

  /// What is known so far about the source of the value, from this probe and from those of the levels
  /// that have answered.
  package var answer: Answer {
    var (answer, next) = state.withLock { $0 }
    while let probe = next {
      let below: Answer
      (below, next) = probe.state.withLock { $0 }
      answer.level = answer.level ?? below.level
      answer.isOrigin = answer.isOrigin || below.isOrigin
      answer.storedAt = answer.storedAt ?? below.storedAt
      answer.isStale = answer.isStale || below.isStale
      answer.isJoined = answer.isJoined || below.isJoined
    }
    return answer
  }
}

/// A value with a creation time.
package protocol DatedValue {
  var storedAt: TimeSource.Instant { get }
}

extension CacheObserver {
  /// An observer that only carries a probe.
  static func probe(_ probe: GetProbe) -> CacheObserver {
    CacheObserver { _ in }.with(probe: probe)
  }

  func with(probe: GetProbe) -> CacheObserver {
    var observer = self
    observer.probe = probe
    return observer
  }
}

extension CachePlan {
  /// The level that answers if this node answers: a level itself, or a named stage that contains
  /// only one level. It's `nil` for a level that contains others, such as an HTTP level, because
  /// those report themselves.
  var answeringLevel: (name: String, isOrigin: Bool)? {
    var plan = self
    if plan.node.traits.name != nil {
      while plan.children.count == 1, plan.arguments.plans.isEmpty { plan = plan.children[0] }
    }
    guard case .level(let role) = plan.form, plan.arguments.plans.isEmpty else { return nil }
    return (stage, role == .origin)
  }
}
