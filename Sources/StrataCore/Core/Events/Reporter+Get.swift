extension Reporter {
  /// Returns a `get` function whose answers are reported as events of this stage.
  ///
  /// This function is inlinable, so the compiler can specialize it for the caller's types. Hits
  /// don't allocate. They read the clock only if the stage is an origin, an observer measures hits,
  /// or the sample includes the hit.
  @inlinable
  package func reporting<Key: Sendable, Value>(
    _ get: @escaping @Sendable (Key) -> Promise<Value>, isOrigin: Bool
  ) -> @Sendable (Key) -> Promise<Value> {
    let (size, measures) = (CacheEvent.size(of: Value.self), measuresGets(isOrigin))
    guard !measures, let counter else {
      return { [self] key in reported(key, measures, size, isOrigin, get) }
    }
    return { [self] key in counted(key, by: counter, size, get) }
  }

  /// Runs a get, and reports its answer. It isn't inlined, for the reason in `HitGet.swift`.
  @inlinable
  @inline(never)
  func reported<Key: Sendable, Value>(
    _ key: Key, _ measures: Bool, _ size: (@Sendable (Value) -> Int)?, _ isOrigin: Bool,
    _ get: (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let start = measures ? now() : nil
    let answer = get(key)
    guard case .success(let value) = answer.state else {
      return report(answer, key, since: start, isOrigin)
    }
    reportHit(key, since: start, size?(value), isOrigin)
    return answer
  }

  /// Runs a get, and counts its hit. It isn't inlined, for the reason in `HitGet.swift`.
  @inlinable
  @inline(never)
  func counted<Key: Sendable, Value>(
    _ key: Key, by counter: StageCounter, _ size: (@Sendable (Value) -> Int)?,
    _ get: (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let stripe = counter.stripe
    let weight = stripe.pointee.weight
    guard weight == 0 else { return measured(key, weight, size, get) }
    let answer = get(key)
    guard case .success(let value) = answer.state else {
      return report(answer, key, since: nil, false, weight: 0)
    }
    stripe.pointee.count(bytes: size?(value))
    return answer
  }

  /// Runs a get that is in the sample.
  @inlinable
  @inline(never)
  func measured<Key: Sendable, Value>(
    _ key: Key, _ weight: Int, _ size: (@Sendable (Value) -> Int)?, _ get: (Key) -> Promise<Value>
  ) -> Promise<Value> {
    let start = now()
    let answer = get(key)
    guard case .success(let value) = answer.state else {
      return report(answer, key, since: start, false, weight: weight)
    }
    reportHit(key, since: start, size?(value), false, weight: weight)
    return answer
  }

  /// Whether the clock is read before each get. This is always `true` for an origin, because
  /// calling it takes much longer than reading the clock.
  @usableFromInline
  func measuresGets(_ isOrigin: Bool) -> Bool { observer.measuresHits || isOrigin }

  /// Reports an immediate hit. When the observer needs neither durations nor counts, this function
  /// sends the event without reading the clock.
  @usableFromInline
  func reportHit(
    _ key: consuming any Sendable, since start: Start?, _ bytes: Int?, _ isOrigin: Bool,
    weight: Int = 1
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
