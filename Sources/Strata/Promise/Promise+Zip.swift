extension Promise {
  /// Returns a promise of a pair: this promise's value and another promise's value.
  ///
  /// The first failure or cancellation settles the result, and stops the work of the other promise
  /// unless another caller needs it.
  ///
  ///     let (page, picture) = try await network.get("a").zip(network.get("b")).value
  ///
  /// - Law: `Promise(x).zip(Promise(y)) == Promise((x, y))`. See
  ///   `PromiseZipTests.testBothValuesArriveInEitherOrder`.
  public func zip<Other>(_ other: Promise<Other>) -> Promise<(Value, Other)> {
    let both = PromiseGroup<(Value, Other)>()
    let halves = Lock((own: Value?.none, other: Other?.none))
    let arrived: @Sendable () -> Void = {
      if case (let own?, let other?) = halves.withLock({ $0 }) { both.end(.success((own, other))) }
    }
    both.addPart(self) { value in
      halves.withLock { $0.own = .some(value) }
      arrived()
    }
    both.addPart(other) { value in
      halves.withLock { $0.other = .some(value) }
      arrived()
    }
    return both.promise()
  }
}
