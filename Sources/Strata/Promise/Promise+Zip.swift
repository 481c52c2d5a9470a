extension Promise {
  /// Returns a promise of both values.
  ///
  /// It ends with the first failure or cancellation of either, and withdraws from the other then.
  public func zip<Other>(_ other: Promise<Other>) -> Promise<(Value, Other)> {
    let both = Gathering<(Value, Other)>()
    let halves = Lock((Value?.none, Other?.none))
    both.add(self) { outcome in
      switch outcome {
      case .success(let value):
        if case (let one?, let other?) = halves.withLock({ ($0.0 = value, $0).1 }) {
          both.end(.success((one, other)))
        }
      case .failure(let error): both.end(.failure(error))
      case .cancelled: both.end(.cancelled)
      }
    }
    both.add(other) { outcome in
      switch outcome {
      case .success(let value):
        if case (let one?, let other?) = halves.withLock({ ($0.1 = value, $0).1 }) {
          both.end(.success((one, other)))
        }
      case .failure(let error): both.end(.failure(error))
      case .cancelled: both.end(.cancelled)
      }
    }
    return both.promise()
  }
}
