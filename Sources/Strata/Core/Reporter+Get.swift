extension Reporter {
  /// Returns the get of this stage, which reports its answers.
  ///
  /// Inlined, so that the compiler specializes hits for the types of the caller. A hit doesn't
  /// allocate. It reads the clock only if an observer measures hits, or if the counters measure
  /// this get.
  @inlinable
  package func reporting<Key: Sendable, Value>(
    _ get: @escaping @Sendable (Key) -> Promise<Value>, isOrigin: Bool
  ) -> @Sendable (Key) -> Promise<Value> {
    let (size, measures) = (CacheEvent.size(of: Value.self), measuresGets(isOrigin))
    guard !measures, let counter else {
      return { [self] key in
        let start = measures ? now() : nil
        let answer = get(key)
        guard case .success(let value) = answer.state else {
          return report(answer, key, since: start, isOrigin)
        }
        reportHit(key, since: start, size?(value), isOrigin)
        return answer
      }
    }
    return { [self] key in
      let stripe = counter.stripe
      let weight = stripe.pointee.weight
      let start = weight > 0 ? now() : nil
      let answer = get(key)
      guard case .success(let value) = answer.state else {
        return report(answer, key, since: start, false, weight: weight)
      }
      if weight > 0 {
        reportHit(key, since: start, size?(value), false, weight: weight)
      } else {
        stripe.pointee.count(bytes: size?(value))
      }
      return answer
    }
  }

  /// Whether the clock is read before each get. This is always true for an origin, because a call
  /// of an origin takes much longer than a clock read.
  @usableFromInline
  func measuresGets(_ isOrigin: Bool) -> Bool { observer.measuresHits || isOrigin }

  /// Reports an immediate hit. An observer that needs neither durations nor counts receives the
  /// event directly.
  @usableFromInline
  func reportHit(
    _ key: any Sendable, since start: Start?, _ bytes: Int?, _ isOrigin: Bool, weight: Int = 1
  ) {
    guard start == nil, counter == nil else {
      countReported()
      return report(.get, key, since: start, .success, nil, bytes, isOrigin, weight)
    }
    observer.receive(
      CacheEvent(
        stage: stage, operation: .get, key: key, outcome: .success, duration: nil, cause: nil,
        bytes: bytes, isOrigin: isOrigin, start: nil, isUnnamed: isUnnamed, isLoad: false,
        weight: 1))
  }

  /// Reports an answer that isn't an immediate hit.
  @usableFromInline
  func report<Key: Sendable, Value>(
    _ answer: Promise<Value>, _ key: Key, since start: Start?, _ isOrigin: Bool, weight: Int = 1
  ) -> Promise<Value> {
    countReported()
    return reporting(.get, key, since: start, answer, isOrigin: isOrigin, weight: weight)
  }

  private func countReported() {
    counter?.stripe.pointee.reported.wrappingAdd(1, ordering: .relaxed)
  }
}
