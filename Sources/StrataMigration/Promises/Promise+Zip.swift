import StrataVerbs

extension Promise {
  /// Returns a promise of a pair: the values of this promise and of another one.
  ///
  /// When one of the two fails or is cancelled, the result settles, and the work of the other
  /// stops, unless another caller needs it. In PiedPiper, the work of the other promise continues.
  ///
  ///     let (page, picture) = try await network.get("a").zip(network.get("b")).value
  ///
  /// - Law: `Promise(x).zip(Promise(y)) == Promise((x, y))`. See
  ///   `PromiseZipTests.testBothValuesArriveInEitherOrder`.
  public func zip<Other>(_ other: Promise<Other>) -> Promise<(Value, Other)> {
    let halves = [map { Half.own($0) }, other.map { Half.other($0) }]
    return Promise<Half<Value, Other>>.all(halves).map { halves in
      guard case .own(let own) = halves[0], case .other(let other) = halves[1] else {
        throw CacheError.abandoned
      }
      return (own, other)
    }
  }
}

private enum Half<Own: Sendable, Other: Sendable>: Sendable {
  case own(Own)
  case other(Other)
}
